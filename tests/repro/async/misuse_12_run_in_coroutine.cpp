// SPDX-License-Identifier: MIT
// `run()` inside a coroutine of the same loop crashes; nothing says that it may not be called
// there.
// Issue: Async.
#include "reproduction.hpp"

namespace {

task<> nested(async::loop& l) {
  l.run();
  co_return;
}

}  // namespace

int main() {
  async::loop l;
  l.spawn(nested(l));
  l.run();
  return outcome_of_expectations();
}
