// SPDX-License-Identifier: MIT
// error: a range of tasks is moved in: say std::move\(tasks\)
#include <baton/async.hpp>
#include <baton/async/when.hpp>
#include <utility>
#include <vector>

baton::async::task<> body(std::vector<baton::async::task<>> all) {
#if FAILS
  co_await baton::async::when_all(all);
#else
  co_await baton::async::when_all(std::move(all));
#endif
}
