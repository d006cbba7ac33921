// SPDX-License-Identifier: MIT
// A value whose copy throws in `co_await send()`: the awaiter's constructor is noexcept, so the
// program is terminated.
// Issue: Async.
#include "reproduction.hpp"

namespace {

bool has_thrown = false;

task<> receiver(channel<throws_in_copy>& c) {
  throws_in_copy value;
  static_cast<void>(co_await async::within(milliseconds(20), c.receive(value)));
}

task<> sender(channel<throws_in_copy>& c) {
  co_await async::yield();
  const throws_in_copy value(7);
  throws_in_copy::is_armed = true;
  try {
    static_cast<void>(co_await c.send(value));
  } catch (const std::bad_alloc&) {
    has_thrown = true;
  }
}

}  // namespace

int main() {
  channel<throws_in_copy> c;
  async::loop l;
  l.spawn(receiver(c));
  l.spawn(sender(c));
  l.run();
  expect(has_thrown, "the exception reaches the sender");
  return outcome_of_expectations();
}
