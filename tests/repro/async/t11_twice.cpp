// SPDX-License-Identifier: MIT
// A task with a name is awaited: g++ refuses it with "use of deleted function", where clang takes
// it.
// Issue: Async.
#include "reproduction.hpp"

task<int> one() {
  co_return 41;
}

task<> named() {
  auto t = one();
  static_cast<void>(co_await t);
}
