// SPDX-License-Identifier: MIT
// A wait of the largest tick, which means "for ever", wraps and is due at once. The longest delay
// waits as it should.
// Issue: Async.
#include "reproduction.hpp"

namespace {

status forever = status::empty;
status longest = status::empty;

task<> receive_within(tick limit, channel<int>& c, status& how) {
  int value = 0;
  how = co_await async::within(limit, c.receive(value));
}

task<> play(async::loop& l, channel<int>& c, channel<int>& d) {
  static_cast<void>(co_await async::sleep_for(milliseconds(20)));
  l.spawn(receive_within(~tick(0), c, forever));
  l.spawn(receive_within(baton::longest_delay, d, longest));
  static_cast<void>(co_await async::sleep_for(milliseconds(20)));
  static_cast<void>(co_await async::within(milliseconds(1), c.send(1)));
  static_cast<void>(co_await async::within(milliseconds(1), d.send(1)));
}

}  // namespace

int main() {
  channel<int> c, d;
  async::loop l;
  l.spawn(play(l, c, d));
  l.run();
  expect(forever == status::ok, "within(~0) waits until the value comes");
  expect(longest == status::ok, "within(longest_delay) waits until the value comes");
  return outcome_of_expectations();
}
