// SPDX-License-Identifier: MIT
#include "two_units.hpp"

baton::log_bins bins;
uint16_t sum;

namespace {

baton::signal stop;

struct reader : baton::coroutine<reader, baton::selecting<2>> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_SELECT(stop.wait(), numbers.receive(number));
      if (selected() == 0 || result() != baton::status::ok) break;
      sum = static_cast<uint16_t>(sum + number);
    }
    BATON_END();
  }
  uint16_t number = 0;
};

reader the_reader;

}  // namespace

void start_the_reader() {
  the_reader.start();
}
