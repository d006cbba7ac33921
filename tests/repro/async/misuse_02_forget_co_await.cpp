// SPDX-License-Identifier: MIT
// A wait of async without co_await does nothing, and neither compiler warns: its operation is not
// [[nodiscard]] as `task` and core's operations are.
// Issue: Async.
#include "reproduction.hpp"

task<> forgets() {
  async::sleep_for(baton::ticks(1));
  co_return;
}
