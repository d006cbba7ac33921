// SPDX-License-Identifier: MIT
// Each case should compile and does not.
// Issue: Async.
#include <baton/async/when.hpp>

#include "reproduction.hpp"

#if CASE == 1  // an endpoint that replies a string
baton::endpoint<int, std::string> e;
task<> f() {
  static_cast<void>(co_await async::call(e, 1));
}
#endif
