// SPDX-License-Identifier: MIT
// The exception of a spawned coroutine that is not joined is dropped: run() returns, and the
// program ends well.
// Issue: Async.
#include "reproduction.hpp"

namespace {

task<> fails() {
  throw std::runtime_error("nobody sees me");
  co_return;
}

task<> leaves_failed_scope() {
  async::scope s;
  s.spawn(fails());
  for (int i = 0; i < 2; ++i) co_await async::yield();
}

bool is_told(task<> t) {
  async::loop l;
  l.spawn(std::move(t));
  try {
    l.run();
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  expect(is_told(fails()), "run() tells what a spawned coroutine threw");
  expect(is_told(leaves_failed_scope()), "a scope that is left tells what its child threw");
  return outcome_of_expectations();
}
