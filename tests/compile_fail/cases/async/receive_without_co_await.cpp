// SPDX-License-Identifier: MIT
// error: ignoring return value|-Wunused-result
// lines: 14
#include <baton/async.hpp>

baton::channel<int> numbers;

baton::async::task<> body() {
  int value = 0;
#if FAILS
  numbers.receive(value);
#else
  static_cast<void>(co_await numbers.receive(value));
#endif
  co_return;
}
