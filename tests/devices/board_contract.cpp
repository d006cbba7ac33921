// SPDX-License-Identifier: MIT
//
// Holds a board's own pin, ADC and serial line to the contracts, on its own port. A line "check N
// failed" names a line of contract.hpp; the verdict is the last line.
#include <baton/board.hpp>
#include <baton/board_uart.hpp>
#include <baton/core.hpp>
#ifdef BATON_DEVICES_HAS_PINS
#include <baton/board_pin.hpp>
#endif
#ifdef BATON_DEVICES_HAS_ADC
#include <baton/board_adc.hpp>
#endif

#include "../../devices/tests/contract.hpp"

namespace {

void say(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

void say(uint16_t number) {
  if (number >= 10) say(static_cast<uint16_t>(number / 10));
  baton::board::console::put(static_cast<char>('0' + number % 10));
}

struct report {
#ifdef BATON_DEVICES_ON_LINUX
  static constexpr uint16_t late_ms = 1000;  // a busy machine
#else
  static constexpr uint16_t late_ms = 50;
#endif
  static uint16_t checks, failures;
  static void check(bool good, uint16_t line) {
    ++checks;
    if (good) return;
    ++failures;
    say("check ");
    say(line);
    say(" failed\r\n");
  }
};
uint16_t report::checks, report::failures;

/// The test of a device that the board does not have.
struct nothing {
  void start() {}
  bool is_done() const { return true; }
};

#ifdef BATON_DEVICES_HAS_PINS
contract::pin_test<baton::board::button_pin, report> pin_test;
#else
nothing pin_test;
#endif
#ifdef BATON_DEVICES_HAS_ADC
contract::adc_test<baton::board::analog_input, report> adc_test;
#else
nothing adc_test;
#endif
contract::uart_test<baton::board::serial_line, report> uart_test;

struct judge : baton::coroutine<judge, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    uart_test.start();
    pin_test.start();
    adc_test.start();
    for (left_ = 200; left_ && !(pin_test.is_done() && adc_test.is_done() && uart_test.is_done()); --left_)
      BATON_DELAY_MS(100);
    say("checks: ");
    say(report::checks);
    say(left_ && !report::failures ? "\r\nverdict: good\r\n" : "\r\nverdict: bad\r\n");
    baton::board::finish(left_ && !report::failures ? 0 : 1);
    BATON_END();
  }
  uint8_t left_ = 0;
};
judge the_judge;

}  // namespace

int main() {
  baton::board::start();
  the_judge.start();
  baton::scheduler::run();
}
