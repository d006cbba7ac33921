// SPDX-License-Identifier: MIT
// error: a duration of std::chrono must count whole units; use std::chrono::ceil
// lines: 36
#include <baton/async.hpp>
#include <chrono>

using namespace baton::literals;

baton::signal bell;

baton::async::task<> body() {
#if FAILS
  static_cast<void>(co_await baton::async::sleep_for(std::chrono::duration<double>(0.5)));
#else
  static_cast<void>(co_await baton::async::sleep_for(std::chrono::milliseconds(500)));
#endif
}
