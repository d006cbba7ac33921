// SPDX-License-Identifier: MIT
//
// Three coroutines take turns. The scheduler runs the one that has been ready longest; it runs
// until it yields or ends.
#include <baton/board.hpp>
#include <baton/core.hpp>

baton::board::console console;

// A coroutine that only yields needs no further base: it is a link, a function and a resume point.
struct greeter : baton::coroutine<greeter> {
  constexpr greeter(const char* name, uint8_t times) : name_(name), times_(times) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (said_ = 1; said_ <= times_; ++said_) {
      baton::print_line(console, name_, " says hello, ", said_, " of ", times_);
      BATON_YIELD();
    }
    baton::print_line(console, name_, " ends");
    BATON_END();
  }

  const char* name_;
  uint8_t times_;
  uint8_t said_ = 0;
};

greeter ada{"Ada", 3};
greeter grace{"Grace", 1};
greeter barbara{"Barbara", 2};

int main() {
  baton::board::start();
  ada.start();
  grace.start();
  barbara.start();

  baton::print_line(console, "-- four steps");
  baton::scheduler::run_for(4);

  baton::print_line(console, "-- the rest");
  baton::scheduler::run_until_idle();

  baton::print_line(console, "-- Grace starts over");
  grace.restart();  // the body begins again; its members keep their values
  baton::scheduler::run_until_idle();

  baton::print_line(console,
                    "-- all have ended: ", ada.is_done() && grace.is_done() && barbara.is_done() ? "yes" : "no");
  baton::board::finish(0);
}
