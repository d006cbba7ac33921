// SPDX-License-Identifier: MIT
// error: unused variable
// errors: 2
#include <baton/async.hpp>

namespace async = baton::async;

async::task<> work() {
  co_return;
}
async::task<int> count() {
  co_return 1;
}

async::task<> main_task() {
  auto w = work();
  auto c = count();
#if !FAILS
  co_await static_cast<async::task<>&&>(w);
  static_cast<void>(co_await static_cast<async::task<int>&&>(c));
#endif
  co_return;
}
