// SPDX-License-Identifier: MIT
// A value whose copy throws in try_send(): the receiver has left the list by then, and is never
// woken.
// Issue: Async.
#include "reproduction.hpp"

namespace {

int got = 0;
bool has_thrown = false;

task<> receiver(channel<throws_in_copy>& c) {
  throws_in_copy value;
  if (co_await c.receive(value) == status::ok) got = value.n;
}

task<> sender(channel<throws_in_copy>& c) {
  co_await async::yield();
  const throws_in_copy value(7);
  throws_in_copy::is_armed = true;
  try {
    const status how = c.try_send(value);
    static_cast<void>(how);
  } catch (const std::bad_alloc&) {
    has_thrown = true;
  }
  const status how = c.try_send(value);
  static_cast<void>(how);
  static_cast<void>(co_await async::sleep_for(milliseconds(1)));
  if (got != 7) {
    expect(false, "the second value arrives");
    std::_Exit(1);  // nothing wakes the receiver, so the loop would never end
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
