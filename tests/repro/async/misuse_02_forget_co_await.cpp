// SPDX-License-Identifier: MIT
// Operations without co_await do nothing, and neither compiler warns: they are not [[nodiscard]] as
// `task` is.
// Issue: Async.
#include "reproduction.hpp"

channel<int> c;

task<> forgets() {
  int value = 0;
  c.receive(value);
  async::sleep_for(baton::ticks(1));
  co_return;
}
