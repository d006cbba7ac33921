// SPDX-License-Identifier: MIT
// After a copy that threw in try_send(), the deadline of the receiver looks for it in a list for
// ever.
// Issue: Async.
#include <unistd.h>

#include "reproduction.hpp"

namespace {

task<> receiver(channel<throws_in_copy>& c) {
  throws_in_copy value;
  static_cast<void>(co_await async::within(milliseconds(5), c.receive(value)));
}

task<> sender(channel<throws_in_copy>& c) {
  co_await async::yield();
  const throws_in_copy value(7);
  throws_in_copy::is_armed = true;
  try {
    const status how = c.try_send(value);
    static_cast<void>(how);
  } catch (const std::bad_alloc&) {
    std::puts("try_send threw");
    std::fflush(stdout);
    ::alarm(1);  // ends the program when it has not ended by then
  }
}

}  // namespace

int main() {
  channel<throws_in_copy> c;
  async::loop l;
  for (int i = 0; i < 3; ++i) l.spawn(receiver(c));
  l.spawn(sender(c));
  l.run();
  return outcome_of_expectations();
}
