// SPDX-License-Identifier: MIT
// A local variable that wants 64-byte alignment does not get it in a coroutine's frame.
// Issue: Async.
#include "reproduction.hpp"

namespace {

struct alignas(64) line {
  char bytes[64];
};

task<> holds_line(int i) {
  line l;
  const volatile auto at = reinterpret_cast<uintptr_t>(&l);
  expect(at % 64 == 0, "the local variable is aligned");
  static_cast<void>(co_await async::sleep_for(baton::ticks(1)));
  l.bytes[0] = static_cast<char>(i);
}

}  // namespace

int main() {
  async::loop l;
  for (int i = 0; i < 20; ++i) l.spawn(holds_line(i));
  l.run();
  return outcome_of_expectations();
}
