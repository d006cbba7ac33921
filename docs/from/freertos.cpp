// SPDX-License-Identifier: MIT
#include <baton/board.hpp>
#include <baton/core.hpp>

using namespace baton::literals;

baton::board::console console;
baton::channel<uint16_t, 4> readings;

struct producer : baton::coroutine<producer, baton::periodic<baton::timed_waiting>> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_PERIOD_START();
    for (n_ = 1; n_ <= 3; ++n_) {
      BATON_PERIOD_MS(100, baton::catch_up::all);
      BATON_WAIT(readings.send(n_));
    }
    BATON_END();
  }
  uint16_t n_ = 0;
};

struct consumer : baton::coroutine<consumer, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT_FOR(250_ms, readings.receive(n_));
      if (result() != baton::status::ok) break;
      baton::print_line(console, "reading ", n_);
    }
    baton::print_line(console, "no reading for 250 ms");
    baton::scheduler::stop();
    BATON_END();
  }
  uint16_t n_ = 0;
};

producer the_producer;
consumer the_consumer;

int main() {
  baton::board::start();
  the_producer.start();
  the_consumer.start();
  baton::scheduler::run();
  baton::board::finish(0);
}
