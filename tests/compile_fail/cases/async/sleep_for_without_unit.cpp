// SPDX-License-Identifier: MIT
// error: a number alone is no duration; give it a unit: 50_ms
// lines: 14
#include <baton/async.hpp>

using namespace baton::literals;

baton::signal bell;

baton::async::task<> body() {
#if FAILS
  static_cast<void>(co_await baton::async::sleep_for(5));
#else
  static_cast<void>(co_await baton::async::sleep_for(5_ms));
#endif
}
