// SPDX-License-Identifier: MIT
//
// A program for Compiler Explorer: two coroutines and a channel between them.
#include <baton.hpp>
#include <stdio.h>

struct console {
  void put(char c) { putchar(c); }
} out;

baton::channel<int> numbers;  // no store: a sender waits until a receiver takes its value

struct source : baton::coroutine<source, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (n_ = 1; n_ <= 3; ++n_) BATON_WAIT(numbers.send(n_));
    numbers.close();
    BATON_END();
  }
  int n_ = 0;
};

struct printer : baton::coroutine<printer, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(numbers.receive(n_));
      if (result() == baton::status::closed) break;
      baton::print_line(out, "got ", n_);
    }
    BATON_END();
  }
  int n_ = 0;
};

source the_source;
printer the_printer;

int main() {
  the_source.start();
  the_printer.start();
  while (!the_printer.is_done()) baton::scheduler::run_one();
  return 0;
}
