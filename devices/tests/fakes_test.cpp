// SPDX-License-Identifier: MIT
#include <baton/devices/fakes.hpp>
#include <baton/sim/script.hpp>
#include <baton/test/check.hpp>
#include <baton/test/random.hpp>

using namespace baton;

namespace {

using pin = devices::fake_pin<1>;
using adc = devices::fake_adc<1>;
using uart = devices::fake_uart<1, 4, 8>;

struct blinker : coroutine<blinker, timed> {
  point step(point at) {
    BATON_BEGIN();
    pin::configure(devices::pin_mode::output);
    for (; left_; --left_) {
      pin::write(left_ % 2 == 0);
      BATON_DELAY_MS(5);
    }
    BATON_END();
  }
  uint8_t left_ = 20;
};

}  // namespace

TEST_CASE("a fake pin records the last writes with their times") {
  pin::reset();
  blinker b;
  b.start();
  scheduler::run();
  CHECK_EQ(pin::written(), 20);
  for (uint8_t i = 4; i < 20; ++i) {
    CHECK_WITH(pin::write_of(i).at == milliseconds(5u * i), i);
    CHECK_WITH(pin::write_of(i).level == (i % 2 == 0), i);
  }
  CHECK(pin::mode() == devices::pin_mode::output);
}

TEST_CASE("a fake pin is driven, released to its pull-up, and deaf to a driver while it is an output") {
  pin::reset();
  CHECK(!pin::read());
  pin::configure(devices::pin_mode::input_pullup);
  CHECK(pin::read());
  pin::drive(false);
  CHECK(!pin::read());
  pin::release();
  CHECK(pin::read());
  pin::configure(devices::pin_mode::output_high);
  pin::drive(false);
  CHECK(pin::read());
  pin::configure(devices::pin_mode::input);
  CHECK(!pin::read());
}

TEST_CASE("a fake ADC that never finishes stays busy, and a reading is at most full scale") {
  adc::reset();
  adc::hold(true);
  CHECK(!adc::ready());
  adc::supply(5000);
  CHECK(adc::start() == status::ok);
  CHECK(!adc::ready());
  CHECK(adc::start() == status::full);
  CHECK_EQ(adc::started(), 1);
  adc::finish();
  adc::finish();
  CHECK(adc::ready());
  CHECK_EQ(adc::read(), adc::full_scale);
  adc::supply(3);
  CHECK_EQ(adc::read(), adc::full_scale);
}

TEST_CASE("a fake UART is deaf before it is opened, and reports the place and the number of lost bytes") {
  uart::reset();
  uint8_t byte = 0;
  uart::feed('x');
  uart::lose();
  CHECK(uart::read(byte) == status::empty);
  uart::open();
  for (char c = 'a'; c <= 'z'; ++c) uart::feed(static_cast<uint8_t>(c));
  CHECK(uart::read(byte) == status::ok);
  CHECK_EQ(byte, 'a');
  uart::feed('!');  // there is room, but it comes after the gap
  for (char c = 'b'; c <= 'd'; ++c) {
    CHECK(uart::read(byte) == status::ok);
    CHECK_EQ(byte, c);
  }
  CHECK(uart::read(byte) == status::truncated);
  CHECK_EQ(byte, 23);
  CHECK(uart::read(byte) == status::empty);
  uart::feed('?');
  CHECK(uart::read(byte) == status::ok);
  CHECK_EQ(byte, '?');
  for (uint16_t i = 0; i < 1000; ++i) uart::lose();
  CHECK(uart::read(byte) == status::truncated);
  CHECK_EQ(byte, 255);
}

TEST_CASE("what a fake UART sent is text, cut at the size of the record") {
  uart::reset();
  const char* text = "0123456789";
  for (const char* c = text; *c; ++c) CHECK(uart::write(static_cast<uint8_t>(*c)) == status::ok);
  CHECK_EQ(uart::sent(), 10);
  CHECK_EQ(uart::text()[7], '7');
  CHECK_EQ(uart::text()[8], 0);
  uart::forget();
  CHECK(uart::text()[0] == 0);
}

TEST_CASE("received bytes and losses agree with a model, in any order") {
  devices::received_bytes<4> bytes;
  test::random random(7);
  char model[4] = {};  // the stored bytes
  uint8_t stored = 0, lost = 0;
  for (unsigned round = 0; round < (test::is_small_target ? 3000u : 60000u); ++round) {
    const uint8_t byte = static_cast<uint8_t>(round);
    const uint8_t what = static_cast<uint8_t>(random.below(8));
    if (what < 4) {
      bytes.push(byte);
      if (stored == 4 || lost) {
        lost = static_cast<uint8_t>(lost < 255 ? lost + 1 : 255);
      } else {
        model[stored++] = static_cast<char>(byte);
      }
    } else if (what == 4) {
      bytes.lose();
      lost = static_cast<uint8_t>(lost < 255 ? lost + 1 : 255);
    } else {
      uint8_t got = 0;
      const status result = bytes.read(got);
      if (stored) {
        CHECK_WITH(result == status::ok && got == static_cast<uint8_t>(model[0]), round);
        for (uint8_t i = 1; i < stored; ++i) model[i - 1] = model[i];
        --stored;
      } else if (lost) {
        CHECK_WITH(result == status::truncated && got == lost, round);
        lost = 0;
      } else {
        CHECK_WITH(result == status::empty, round);
      }
    }
  }
}
