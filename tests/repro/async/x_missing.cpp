// SPDX-License-Identifier: MIT
// Each case should compile and does not.
// Issue: Async.
#include <baton/async/when.hpp>

#include "reproduction.hpp"

#if CASE == 1  // a timed wait until a stop
task<> f(async::scope& s) {
  static_cast<void>(co_await async::until_stop(s.token(), async::sleep_for(baton::ticks(1))));
}
#elif CASE == 2  // a timer as a case of a select
task<> f(channel<int>& c) {
  int value = 0;
  static_cast<void>(co_await async::select(c.receive(value), async::sleep_for(baton::ticks(1))));
}
#elif CASE == 3  // a receive by value as a case of a select
task<> f(channel<int>& c, channel<int>& d) {
  static_cast<void>(co_await async::select(async::receive(c), async::receive(d)));
}
#elif CASE == 4  // a task of a reference
task<int&> f(int& value) {
  co_return value;
}
#elif CASE == 5  // an endpoint that replies a string
baton::endpoint<int, std::string> e;
task<> f() {
  static_cast<void>(co_await async::call(e, 1));
}
#endif
