// SPDX-License-Identifier: MIT
#include <baton/board.hpp>
#include <baton/core.hpp>
#include <baton/devices/fakes.hpp>
#include <baton/sim/script.hpp>
#include <string.h>

using namespace baton::literals;
using baton::status;

using uart = baton::devices::fake_uart<0>;  // on a board: baton::board::serial_line

struct line {
  char text[12];
};

baton::board::console console;
baton::channel<line, 2> lines;

// Collects bytes to lines. A line that is too long or damaged is dropped as a whole.
struct collector : baton::coroutine<collector, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    uart::open();
    uart::listen(&arrived_);
    for (;;) {
      BATON_WAIT(arrived_.wait());
      while ((got_ = uart::read(byte_)) != status::empty) take();
    }
    BATON_END();
  }

  void take() {
    if (got_ == status::truncated) is_bad_ = true;  // bytes were lost
    if (got_ != status::ok) return;
    if (byte_ != '\n') {
      is_bad_ = is_bad_ || length_ == sizeof line_.text - 1;
      if (!is_bad_) line_.text[length_++] = static_cast<char>(byte_);
      return;
    }
    line_.text[length_] = 0;
    if (!is_bad_ && lines.try_send(line_) != status::ok) baton::print_line(console, "nobody reads: ", line_.text);
    length_ = 0;
    is_bad_ = false;
  }

  baton::isr_signal arrived_;
  status got_ = status::empty;
  line line_ = {};
  uint8_t byte_ = 0, length_ = 0;
  bool is_bad_ = false;
};

// Asks "T?" and expects "T<number>" within 50 ms. It asks up to four times.
struct thermometer : baton::coroutine<thermometer, baton::deadline> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (tries_ = 1; tries_ <= 4; ++tries_) {
      while (lines.try_receive(answer_) == status::ok) {
      }  // what came too late is no answer to this question
      for (const char* c = "T?\n"; *c; ++c) {
        if (uart::write(static_cast<uint8_t>(*c)) != status::ok) break;  // an incomplete question has no answer
      }
      BATON_WAIT_FOR(50_ms, lines.receive(answer_));
      if (result() == status::timed_out) {
        tell("no answer");
      } else if (!is_number()) {
        tell("no number");
      } else {
        tell(answer_.text + 1);
        break;
      }
    }
    BATON_END();
  }

  bool is_number() const {
    const char* digits = answer_.text + 1;
    return answer_.text[0] == 'T' && *digits && strspn(digits, "0123456789") == strlen(digits);
  }

  void tell(const char* what) const {
    baton::print_line(console, baton::port::now() / 1_ms, " ms, try ", tries_, ": ", what);
  }

  line answer_ = {};
  uint8_t tries_ = 0;
};

collector the_collector;
thermometer the_thermometer;

void feed(const char* text) {
  while (*text) uart::feed(static_cast<uint8_t>(*text++));
}

int main() {
  baton::board::start();
  the_collector.start();
  the_thermometer.start();

  // The device is silent at first, then its line is disturbed, then it answers.
  const baton::sim::moment<const char*> answers[] = {{60_ms, "T2x5\n"}, {10_ms, "T215\n"}};
  baton::sim::script<const char*, feed> device;
  device.play(answers);
  baton::scheduler::run();
}
