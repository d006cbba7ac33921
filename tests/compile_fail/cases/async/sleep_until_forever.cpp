// SPDX-License-Identifier: MIT
// error: no viable conversion|cannot convert|could not convert
// lines: 22
#include <baton/async.hpp>

using namespace baton::literals;

baton::signal bell;

baton::async::task<> body() {
#if FAILS
  static_cast<void>(co_await baton::async::sleep_until(baton::forever));
#else
  static_cast<void>(co_await baton::async::sleep_for(baton::forever));
#endif
}
