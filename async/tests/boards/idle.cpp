// SPDX-License-Identifier: MIT
//
// Coroutines that sleep, on the board's own port: the processor sleeps meanwhile, and each
// coroutine wakes in time. BATON_MUTANT is a board that does not sleep.
#include <baton/async.hpp>
#include <baton/board.hpp>

#ifndef BATON_MUTANT
#define BATON_MUTANT 0
#endif

namespace async = baton::async;
using baton::port;
using baton::tick;

namespace {

constexpr tick ms = port::ticks_per_second / 1000;
constexpr tick span = 700 * ms;

// A port whose counter wraps adds wakes to those of the coroutines; each is a look at the ready
// queue.
constexpr uint32_t most_wakes = 200;

async::frame_memory<160 * sizeof(void*)> memory;
uint8_t late;

async::task<> beats(uint8_t count, tick every) {
  tick due = port::now();
  for (uint8_t i = 0; i < count; ++i) {
    due += every;
    co_await async::sleep_until(due);
    const tick behind = port::now() - due;
    if (behind > ms) ++late;
  }
}

void say(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

}  // namespace

int main() {
  baton::board::start();
  async::use_for_frames(memory);
  async::scope all;
  const tick begin = port::now();
  all.spawn(beats(20, 35 * ms));
  all.spawn(beats(7, 100 * ms));
  uint32_t wakes = 0;
  for (;;) {
    baton::scheduler::run_until_idle();
    if (all.running() == 0) break;
    ++wakes;
    if (!BATON_MUTANT) port::idle();
  }
  const tick took = port::now() - begin;
  if (took < span || took > span + ms) say("the beats did not take their time\n");
  if (late) say("a beat was late\n");
  if (wakes > most_wakes) say("the processor did not sleep\n");
  const bool is_good = took >= span && took <= span + ms && !late && wakes <= most_wakes;
  say(is_good ? "verdict: good\n" : "verdict: bad\n");
  baton::board::finish(is_good ? 0 : 1);
}
