// SPDX-License-Identifier: MIT
//
// A pipe of three coroutines: numbers -> squares -> sums. A coroutine that waits is in no queue and
// costs nothing; `close` ends the pipe from the front to the back.
#include <baton/board.hpp>
#include <baton/core.hpp>

baton::board::console console;

baton::channel<uint8_t> numbers;      // no store: a sender waits until a receiver takes its value
baton::channel<uint16_t, 2> squares;  // stores two values; with both stored, a sender waits

struct source : baton::coroutine<source, baton::waiting> {  // `waiting` adds waits on channels
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (n_ = 1; n_ <= 5; ++n_) {
      BATON_WAIT(numbers.send(n_));
      baton::print_line(console, "source: sent ", n_);
    }
    numbers.close();
    BATON_END();
  }

  uint8_t n_ = 0;  // a value must live until its send has ended
};

struct squarer : baton::coroutine<squarer, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(numbers.receive(n_));
      if (result() == baton::status::closed) break;
      square_ = n_ * n_;
      BATON_WAIT(squares.send(square_));
    }
    squares.close();  // stored values can still be received
    BATON_END();
  }

  uint8_t n_ = 0;
  uint16_t square_ = 0;
};

struct adder : baton::coroutine<adder, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(squares.receive(square_));
      if (result() == baton::status::closed) break;
      sum_ += square_;
      baton::print_line(console, "adder: got ", square_, ", sum ", sum_);
    }
    baton::print_line(console, "adder: the pipe is closed");
    BATON_END();
  }

  uint16_t square_ = 0;
  uint16_t sum_ = 0;
};

source first;
squarer second;
adder third;

int main() {
  baton::board::start();
  first.start();
  second.start();
  third.start();
  baton::scheduler::run_until_idle();
  baton::board::finish(0);
}
