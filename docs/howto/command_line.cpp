// SPDX-License-Identifier: MIT
#include <baton/board.hpp>
#include <baton/core.hpp>
#include <baton/devices/fakes.hpp>
#include <baton/devices/line_reader.hpp>
#include <stdlib.h>
#include <string.h>

using uart = baton::devices::fake_uart<0>;  // on a board: baton::board::serial_line

baton::board::console console;

// A command is a name and a function, which gets the rest of the line.
struct command {
  const char* name;
  void (*run)(const char* rest);
};

void set_led(const char* rest) {
  const bool on = strcmp(rest, "on") == 0;
  baton::board::led::set(on);
  baton::print_line(console, "the LED is ", on ? "on" : "off");
}

void blink(const char* rest) {
  const int times = atoi(rest);
  if (times < 1) {
    baton::print_line(console, "usage: blink TIMES");
  } else {
    baton::print_line(console, "blinks ", times, " times");
  }
}

const command commands[] = {{"led", set_led}, {"blink", blink}};

struct shell : baton::devices::line_reader<shell, uart, 24> {
  void on_line(const char* text, uint8_t) {
    const size_t length = strcspn(text, " ");
    const char* rest = text + length + (text[length] == ' ' ? 1 : 0);
    for (const command& each : commands) {
      if (strlen(each.name) == length && strncmp(each.name, text, length) == 0) return each.run(rest);
    }
    baton::print_line(console, "no such command: ", text);
  }
};

// A person types a character each 50 ms, one of them wrong.
struct person : baton::coroutine<person, baton::timed> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (; *text_; ++text_) {
      BATON_DELAY_MS(50);
      uart::feed(static_cast<uint8_t>(*text_));
    }
    BATON_END();
  }

  const char* text_ = "lex\bd on\rblink 3\rblink\rfly\r";
};

shell the_shell;
person the_person;

int main() {
  baton::board::start();
  the_shell.start();
  the_person.start();
  baton::scheduler::run();
}
