// SPDX-License-Identifier: MIT
//
// One channel, two ways to write a body: C++20 coroutines at both ends, a stackless one in the middle. The channel does not know
// which is which, and neither does the ready queue.
#include <baton/async.hpp>
#include <baton/board.hpp>

#include "../support/say.hpp"

namespace async = baton::async;

baton::channel<uint16_t> numbers;
baton::channel<uint16_t> squares;

/// A stackless body: what lives across a wait is a member.
struct squarer : baton::coroutine<squarer, baton::waiting> {
  squarer(baton::channel<uint16_t>& from, baton::channel<uint16_t>& to) : from_(from), to_(to) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(from_.receive(n_));
      if (result() != baton::status::ok) break;
      n_ = static_cast<uint16_t>(n_ * n_);
      BATON_WAIT(to_.send(n_));
    }
    to_.close();
    BATON_END();
  }

  baton::channel<uint16_t>& from_;
  baton::channel<uint16_t>& to_;
  uint16_t n_ = 0;
};

/// A C++20 body: what lives across a wait is a local, or a parameter, in its frame.
async::task<> source(baton::channel<uint16_t>& to) {
  for (uint16_t n = 1; n <= 5; ++n) {
    if (co_await to.send(n) != baton::status::ok) co_return;
  }
  to.close();
}

async::task<> sink(baton::channel<uint16_t>& from) {
  uint16_t square = 0;
  while (co_await from.receive(square) == baton::status::ok) say("got ", square);
  say("the stream has ended");
}

// Both bodies name the same type, and wait for the same operation of it: nothing is wrapped or converted on the way.
template <typename, typename>
constexpr bool same = false;
template <typename T>
constexpr bool same<T, T> = true;
template <typename Body>
struct takes;
template <typename Result, typename Parameter>
struct takes<Result(Parameter)> {
  using type = Parameter;
};
static_assert(same<takes<decltype(source)>::type, decltype(squarer::from_)>, "one type of channel for both bodies");

/// Says its name and yields. The order is that of the ready queue, whoever is in it. What differs is the way: a C++20 coroutine resumes
/// the next job itself where that is one too; where it is stackless, the yield returns to the scheduler, which calls it.
async::task<> modern(const char* name) {
  for (uint8_t i = 0; i < 2; ++i) {
    say(name);
    co_await async::yield();
  }
}

struct classic : baton::coroutine<classic> {
  explicit classic(const char* name) : name_(name) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (i_ = 0; i_ < 2; ++i_) {
      say(name_);
      BATON_YIELD();
    }
    BATON_END();
  }

  const char* name_;
  uint8_t i_ = 0;
};

squarer middle{numbers, squares};
classic second{"second: stackless"};
async::frame_memory<1024> frames;  // all the memory that frames get here: the application says how much

int main() {
  baton::board::start();
  async::use_for_frames(frames);
  async::scope all;

  all.spawn(source(numbers));
  all.spawn(sink(squares));
  middle.start();
  baton::scheduler::run_until_idle();

  all.spawn(modern("first: C++20"));
  second.start();
  all.spawn(modern("third: C++20"));
  baton::scheduler::run_until_idle();

  say(async::frames().frames == 0 ? "no frame is left" : "frames are left");
  baton::board::finish(0);
}
