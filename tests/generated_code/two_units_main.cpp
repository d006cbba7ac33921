// SPDX-License-Identifier: MIT
#include <baton/board.hpp>

#include "two_units.hpp"

baton::channel<uint16_t> numbers;

namespace {

struct writer : baton::coroutine<writer, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (next = 1; next <= 10; ++next) BATON_WAIT_FOR(baton::milliseconds(100), numbers.send(next));
    numbers.close();
    BATON_END();
  }
  uint16_t next = 0;
};

baton::profiled<writer> the_writer;

}  // namespace

void start_the_writer() {
  the_writer.attach(bins);
  the_writer.start();
}

int main() {
  baton::board::start();
  start_the_reader();
  start_the_writer();
  baton::scheduler::run_until_idle();
  uint16_t steps = 0;
  for (uint16_t bin : bins.bin) steps = static_cast<uint16_t>(steps + bin);
  baton::board::finish(sum == 55 && steps != 0 && the_writer.is_done() ? 0 : 1);
}
