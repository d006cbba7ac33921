// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <baton/devices/adc.hpp>
#include <baton/devices/pin.hpp>
#include <baton/devices/uart.hpp>
#include <stdint.h>

/// The test of the contracts, the same for every provider: on boards in their emulators, as a
/// sketch, and over the fakes in virtual time.
///
/// The world around the devices is the same for all. `--input` and `--send` of emulators/run make
/// it, or a script of ports/sim:
///   - 0 ms: the ADC's channel has a quarter of the reference voltage; from 200 ms on, three
///     quarters.
///   - 100 ms: the pin is driven low; 120 ms: it is driven high.
///   - 300 ms: "abc" comes in; 400 ms: 100 bytes at once, "A" to "Z" in turn; 600 ms: "z".
///     A provider whose store has more than 90 bytes does not lose any of them.
///
/// `Report` has `static void check(bool good, uint16_t line)`, and `late_ms`, a time in which the
/// 100 bytes have come for sure: at most 100 where the world keeps to these times.
namespace contract {

#define CONTRACT(...) Report::check(__VA_ARGS__, __LINE__)

template <typename Pin, typename Report>
struct pin_test : baton::coroutine<pin_test<Pin, Report>, baton::deadline> {
  static_assert(baton::devices::is_pin<Pin>(), "");

  /// Writes a level some time later, while the test waits.
  struct writer : baton::coroutine<writer, baton::timed> {
    baton::point step(baton::point at) {
      BATON_BEGIN();
      BATON_DELAY_MS(5);
      Pin::write(level);
      BATON_END();
    }
    bool level = false;
  };

  baton::point step(baton::point at) {
    using baton::devices::pin_mode;
    BATON_BEGIN();
    Pin::configure(pin_mode::input_pullup);
    BATON_YIELD();
    CONTRACT(Pin::read());

    Pin::configure(pin_mode::output);
    BATON_YIELD();
    CONTRACT(!Pin::read());
    Pin::write(true);
    BATON_YIELD();
    CONTRACT(Pin::read());
    Pin::configure(pin_mode::output);
    BATON_YIELD();
    CONTRACT(!Pin::read());
    Pin::configure(pin_mode::output_high);
    BATON_YIELD();
    CONTRACT(Pin::read());

    // A change before listen() sets nothing, and neither does a level that is written again.
    Pin::listen(&changed_);
    BATON_YIELD();
    CONTRACT(!changed_.try_take());
    Pin::write(true);
    BATON_YIELD();
    CONTRACT(!changed_.try_take());
    Pin::write(false);
    BATON_YIELD();
    CONTRACT(changed_.try_take());
    CONTRACT(!changed_.try_take());
    Pin::write(true);
    BATON_YIELD();
    CONTRACT(changed_.try_take());

    // Both edges wake a coroutine that waits.
    for (wanted_ = 0; wanted_ < 2; ++wanted_) {
      writer_.level = wanted_ != 0;
      writer_.restart();
      BATON_WAIT_FOR(baton::milliseconds(50), changed_.wait());
      CONTRACT(this->result() == baton::status::ok);
      CONTRACT(Pin::read() == (wanted_ != 0));
    }

    Pin::listen(nullptr);
    Pin::write(false);
    BATON_YIELD();
    CONTRACT(!changed_.try_take());

    // The world drives the pin.
    Pin::configure(pin_mode::input_pullup);
    BATON_YIELD();
    Pin::listen(&changed_);
    CONTRACT(Pin::read());
    BATON_WAIT_FOR(baton::milliseconds(200), changed_.wait());
    CONTRACT(this->result() == baton::status::ok);
    CONTRACT(!Pin::read());
    BATON_WAIT_FOR(baton::milliseconds(50), changed_.wait());
    CONTRACT(this->result() == baton::status::ok);
    CONTRACT(Pin::read());
    Pin::listen(nullptr);
    BATON_END();
  }

 private:
  baton::isr_signal changed_;
  writer writer_;
  uint8_t wanted_ = 0;
};

template <typename Adc, typename Report>
struct adc_test : baton::coroutine<adc_test<Adc, Report>, baton::deadline> {
  static_assert(baton::devices::is_adc<Adc>(), "");

  baton::point step(baton::point at) {
    BATON_BEGIN();
    // Polled.
    CONTRACT(Adc::start() == baton::status::ok);
    if (!Adc::ready()) CONTRACT(Adc::start() == baton::status::full);
    for (polls_ = 0; !Adc::ready() && polls_ < 100; ++polls_) BATON_DELAY_MS(1);
    CONTRACT(Adc::ready());
    CONTRACT(is_near(Adc::read(), Adc::full_scale / 4));
    CONTRACT(is_near(Adc::read(), Adc::full_scale / 4));

    // Awaited, twice.
    Adc::listen(&converted_);
    for (polls_ = 0; polls_ < 2; ++polls_) {
      CONTRACT(!converted_.try_take());
      CONTRACT(Adc::start() == baton::status::ok);
      BATON_WAIT_FOR(baton::milliseconds(20), converted_.wait());
      CONTRACT(this->result() == baton::status::ok);
      CONTRACT(Adc::ready());
      CONTRACT(is_near(Adc::read(), Adc::full_scale / 4));
    }

    Adc::listen(nullptr);
    CONTRACT(Adc::start() == baton::status::ok);
    BATON_WAIT_FOR(baton::milliseconds(20), converted_.wait());
    CONTRACT(this->result() == baton::status::timed_out);
    CONTRACT(Adc::ready());

    BATON_DELAY_MS(220);
    // No check here that a result stays: simavr converts when it is read.
    Adc::listen(&converted_);
    CONTRACT(Adc::start() == baton::status::ok);
    BATON_WAIT_FOR(baton::milliseconds(20), converted_.wait());
    CONTRACT(is_near(Adc::read(), Adc::full_scale / 4 * 3));
    BATON_END();
  }

 private:
  static bool is_near(uint16_t reading, uint16_t expected) {
    const uint16_t off = Adc::full_scale / 128;
    return reading >= expected - off && reading <= expected + off;
  }

  baton::isr_signal converted_;
  uint8_t polls_ = 0;
};

template <typename Uart, typename Report>
struct uart_test : baton::coroutine<uart_test<Uart, Report>, baton::deadline> {
  static_assert(baton::devices::is_uart<Uart>(), "");

  baton::point step(baton::point at) {
    BATON_BEGIN();
    Uart::open();
    CONTRACT(Uart::read(byte_) == baton::status::empty);
    Uart::listen(&arrived_);

    // More bytes than a transmitter holds.
    for (sent_ = 0; sent_ < 100; ++sent_) {
      while (Uart::write(sent_ < 98    ? static_cast<uint8_t>('0' + sent_ % 10)
                         : sent_ == 98 ? '\r'
                                       : '\n') == baton::status::full) {
        BATON_WAIT_FOR(baton::milliseconds(50), arrived_.wait());
        CONTRACT(this->result() == baton::status::ok);
      }
    }

    for (wanted_ = 'a'; wanted_ <= 'c'; ++wanted_) {
      while ((got_ = Uart::read(byte_)) == baton::status::empty) {
        BATON_WAIT_FOR(baton::seconds(5), arrived_.wait());
        CONTRACT(this->result() == baton::status::ok);
        if (this->result() != baton::status::ok) break;
      }
      CONTRACT(got_ == baton::status::ok && byte_ == wanted_);
    }
    byte_ = 'x';
    CONTRACT(Uart::read(byte_) == baton::status::empty);
    CONTRACT(byte_ == 'x');
    static_cast<void>(arrived_.try_take());  // perhaps of the last byte, which was read without a wait

    // The program is late for 100 bytes: it gets the first ones, all in order, and the number of
    // the others if the provider knows it.
    BATON_WAIT_FOR(baton::seconds(5), arrived_.wait());
    CONTRACT(this->result() == baton::status::ok);
    BATON_DELAY_MS(Report::late_ms);
    for (wanted_ = 0; (got_ = Uart::read(byte_)) == baton::status::ok; ++wanted_) {
      CONTRACT(byte_ == 'A' + wanted_ % 26);
    }
    CONTRACT(wanted_ >= 16);
    if (wanted_ < 100) {
      CONTRACT(got_ == (Uart::counts_lost ? baton::status::truncated : baton::status::empty));
      if (Uart::counts_lost) CONTRACT(byte_ == 100 - wanted_);
      CONTRACT(Uart::read(byte_) == baton::status::empty);
    }

    // After a gap all is as before.
    while ((got_ = Uart::read(byte_)) == baton::status::empty) {
      BATON_WAIT_FOR(baton::seconds(5), arrived_.wait());
      CONTRACT(this->result() == baton::status::ok);
      if (this->result() != baton::status::ok) break;
    }
    CONTRACT(got_ == baton::status::ok && byte_ == 'z');

    Uart::listen(nullptr);
    BATON_END();
  }

 private:
  baton::isr_signal arrived_;
  baton::status got_ = baton::status::empty;
  uint8_t byte_ = 0;
  uint8_t sent_ = 0;
  uint8_t wanted_ = 0;
};

#undef CONTRACT

}  // namespace contract
