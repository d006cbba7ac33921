// SPDX-License-Identifier: MIT
//
// Core's isr_signal between threads: writes before a set are visible to the woken coroutine, and no
// set is lost.
#include <baton/async.hpp>
#include <baton/async/loop.hpp>

#include "rig.hpp"

namespace async = baton::async;

namespace {

constexpr unsigned rounds = 2000;

/// A ball that two threads pass to each other by signals.
struct ball {
  baton::isr_signal for_loop;
  std::atomic<bool> is_back{false};
  unsigned number = 0;  // only the holder of the ball writes it
};

async::task<> play(ball& b) {
  for (unsigned n = 1; n <= rounds; ++n) {
    CHECK(co_await b.for_loop.wait() == baton::status::ok);
    CHECK(b.number == n);
    b.is_back.store(true, std::memory_order_release);
  }
}

void throw_all(ball& b) {
  for (unsigned n = 1; n <= rounds; ++n) {
    b.number = n;
    b.for_loop.set();
    while (!b.is_back.exchange(false, std::memory_order_acquire)) std::this_thread::yield();
  }
}

/// Several threads set one signal again and again: the last set is followed by a run that sees
/// everything.
void many_set_one() {
  constexpr unsigned setters = 4, each = 500;
  baton::isr_signal changed;
  std::atomic<unsigned> sum{0};
  async::loop here;
  here.spawn([](baton::isr_signal& s, std::atomic<unsigned>& all) -> async::task<> {
    while (all.load(std::memory_order_relaxed) != setters * each) {
      CHECK(co_await s.wait() == baton::status::ok);
    }
  }(changed, sum));
  const rig::together threads(setters, [&](unsigned) {
    for (unsigned n = 0; n != each; ++n) {
      sum.fetch_add(1, std::memory_order_relaxed);
      changed.set();
    }
  });
  here.run();
}

}  // namespace

int main() {
  {
    ball b;
    async::loop here;
    here.spawn(play(b));
    std::thread other(throw_all, std::ref(b));
    here.run();
    other.join();
  }
  many_set_one();
  return rig::verdict();
}
