// SPDX-License-Identifier: MIT
// An awaiter of the user's own that suspends leaves a stale handle at the head of the queue: a
// crash.
// Issue: Async.
#include "reproduction.hpp"

namespace {

std::coroutine_handle<> kept;
int stage = 0;

struct foreign {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> handle) { kept = handle; }
  void await_resume() {}
};

task<int> inner() {
  static_cast<void>(co_await async::sleep_for(milliseconds(1)));
  co_return 1;
}

task<> waits() {
  stage = co_await inner();
  co_await foreign{};
  stage = 2;
}

task<> resumes() {
  static_cast<void>(co_await async::sleep_for(milliseconds(20)));
  expect(stage == 1, "the awaiter keeps its coroutine suspended");
  if (kept) kept.resume();
}

}  // namespace

int main() {
  async::loop l;
  l.spawn(waits());
  l.spawn(resumes());
  l.run();
  expect(stage == 2, "the coroutine goes on");
  return outcome_of_expectations();
}
