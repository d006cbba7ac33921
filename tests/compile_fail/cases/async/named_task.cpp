// SPDX-License-Identifier: MIT
// error: an await ends a task: say co_await std::move\(t\)
// lines: 20
#include <baton/async.hpp>
#include <utility>

baton::async::task<int> one() {
  co_return 1;
}

baton::async::task<> body() {
  baton::async::task<int> named = one();
#if FAILS
  static_cast<void>(co_await named);
#else
  static_cast<void>(co_await std::move(named));
#endif
}
