// SPDX-License-Identifier: MIT
//
// One channel, two kinds of body: C++20 coroutines at both ends, a stackless coroutine in the
// middle. Neither the channel nor the ready queue tells them apart.
#include <baton/async.hpp>
#include <baton/board.hpp>

#include "../support/say.hpp"

namespace async = baton::async;

baton::channel<uint16_t> numbers;
baton::channel<uint16_t> squares;

/// A stackless body: its state across a wait is in members.
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

/// A C++20 body: its state across a wait is in locals and parameters, in its frame.
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

// Both bodies name the same type, and wait for the same operation of it. Nothing is wrapped or
// converted on the way.
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

/// Prints its name and yields, in the order of the ready queue. A C++20 coroutine that yields
/// resumes the next job itself if that is a C++20 coroutine too; otherwise the yield returns to the
/// scheduler, which calls the job.
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
async::frame_memory<1024> frames;  // the memory for frames: the program says how much there is

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
