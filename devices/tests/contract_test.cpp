// SPDX-License-Identifier: MIT
//
// Holds the fakes to the contracts, in virtual time.
#include <baton/devices/fakes.hpp>
#include <baton/sim/script.hpp>
#include <baton/test/check.hpp>

#include "contract.hpp"

using namespace baton;

namespace {

struct report {
  static constexpr uint8_t late_ms = 50;
  static void check(bool good, uint16_t line) { CHECK_WITH(good, line); }
};

using pin = devices::fake_pin<0>;
using adc = devices::fake_adc<0>;
using uart = devices::fake_uart<0>;

/// Lets 100 bytes come in at once for an 'A', as the world of the contracts does.
void receive(char byte) {
  if (byte != 'A') return uart::feed(static_cast<uint8_t>(byte));
  for (uint8_t i = 0; i < 100; ++i) uart::feed(static_cast<uint8_t>('A' + i % 26));
}

void supply(uint16_t reading) {
  adc::supply(reading);
}

/// Ends a conversion, or makes room in the transmitter, from time to time.
void make_progress(bool) {
  adc::finish();
  uart::drain(3);
}

template <typename Test>
void run() {
  Test test;
  test.start();
  scheduler::run();
  CHECK(test.is_done());
}

}  // namespace

TEST_CASE("the fake pin keeps the contract") {
  pin::reset();
  sim::script<bool, pin::drive> edges;
  const sim::moment<bool> moments[] = {{milliseconds(100), false}, {milliseconds(20), true}};
  edges.play(moments);
  run<contract::pin_test<pin, report>>();
  CHECK(edges.is_over());
}

TEST_CASE("the fake ADC keeps the contract, whether it converts at once or later") {
  for (uint8_t holds = 0; holds < 2; ++holds) {
    adc::reset();
    adc::hold(holds != 0);
    sim::script<uint16_t, supply> voltage;
    const sim::moment<uint16_t> readings[] = {{ticks(0), 255}, {milliseconds(200), 767}};
    voltage.play(readings);
    static sim::moment<bool> steps[60];
    for (sim::moment<bool>& each : steps) each = {milliseconds(7), true};
    sim::script<bool, make_progress> progress;
    progress.play(steps);
    sim::advance(0);
    run<contract::adc_test<adc, report>>();
  }
}

TEST_CASE("the fake UART keeps the contract, with and without room in its transmitter") {
  for (uint8_t limited = 0; limited < 2; ++limited) {
    uart::reset();
    if (limited) uart::limit(5);
    sim::script<char, receive> line;
    const sim::moment<char> bytes[] = {
        {milliseconds(300), 'a'}, {ticks(1), 'b'}, {ticks(0), 'c'}, {milliseconds(100), 'A'}, {milliseconds(200), 'z'}};
    line.play(bytes);
    static sim::moment<bool> steps[60];
    for (sim::moment<bool>& each : steps) each = {milliseconds(3), true};
    sim::script<bool, make_progress> progress;
    progress.play(steps);
    run<contract::uart_test<uart, report>>();
    CHECK_EQ(uart::sent(), 100);
    CHECK_EQ(uart::text()[0], '0');
    CHECK_EQ(uart::text()[11], '1');
    CHECK_EQ(uart::text()[99], '\n');
  }
}
