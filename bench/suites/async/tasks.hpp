// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <baton/bench/measure.hpp>

// Coroutines that switch, meet, call, begin and end: the cases of the suite async for every board.

namespace suite_async {

namespace async = baton::async;

using async::task;
using baton::bench::workload;

using operations = baton::bench::operations<1000>;

/// True on a machine of 2 KB.
constexpr bool is_small = sizeof(void*) == 2;

/// The runner of the coroutines: a loop, or core's scheduler and a scope if the clock wraps.
template <typename Tick>
struct stage : async::basic_loop<Tick> {
  static stage& own() {
    static stage only;
    return only;
  }
};
template <>
struct stage<uint32_t> : async::scope {
  void run() { baton::scheduler::run_until_idle(); }
  async::scope& all() { return *this; }
  static stage& own() {
    static stage only;
    return only;
  }
};
using runner = stage<baton::tick>;

/// True if a value was not the expected one.
static bool wrong;

// ---- switch: two tasks raise one counter and yield to each other

struct switches : workload {
  static uint32_t count;

  static task<> raise() {
    do co_await async::yield{};
    while (++count < operations::count());
  }
  static void prepare() {
    count = 0;
    runner::own().spawn(raise());
    runner::own().spawn(raise());
  }
  static void run() { runner::own().run(); }
  static bool finish() {
    return count == operations::count() + 1;
  }  // the second task raises it once more, to see that it is full
};
uint32_t switches::count;

// ---- rendezvous: one sends numbers of 8 bytes, the other checks that none is missing

struct rendezvous : workload {
  static baton::channel<uint64_t> channel;
  static uint32_t received;

  static task<> write() {
    for (uint64_t n = 0; n != operations::count(); ++n) static_cast<void>(co_await channel.send(n));
  }
  static task<> read() {
    for (uint64_t expected = 0; expected != operations::count(); ++expected) {
      uint64_t n;
      static_cast<void>(co_await channel.receive(n));
      received += n == expected;
    }
  }
  static void prepare() {
    received = 0;
    runner::own().spawn(read());
    runner::own().spawn(write());
  }
  static void run() { runner::own().run(); }
  static bool finish() { return received == operations::count(); }
};
baton::channel<uint64_t> rendezvous::channel;
uint32_t rendezvous::received;

// ---- call: a client sends `Bytes`, a server as many back, the first word raised by one

template <size_t Bytes>
struct block {
  uint32_t word = 0;
  unsigned char rest[Bytes - sizeof(uint32_t)] = {};
};
template <>
struct block<sizeof(uint32_t)> {
  uint32_t word = 0;
};

/// Raises the first word, hidden from the compiler's view of the rest of the block.
template <size_t Bytes>
BATON_INLINE block<Bytes> answer_to(const block<Bytes>& request) {
  block<Bytes> answer = request;
  ++answer.word;
  return answer;
}

template <size_t Bytes>
struct calls : workload {
  using message = block<Bytes>;

  static baton::endpoint<message, message> endpoint;
  static uint32_t answered;

  static task<> ask() {
    baton::exchange<message, message> x;
    for (uint32_t n = 0; n != operations::count(); ++n) {
      x.request.word = n;
      static_cast<void>(co_await endpoint.call(x));
      answered += x.reply.word == n + 1;
    }
  }
  static task<> serve() {
    baton::served<message, message> s;
    for (uint32_t n = 0; n != operations::count(); ++n) {
      static_cast<void>(co_await endpoint.receive(s));
      endpoint.reply(s, answer_to(s.request()));
    }
  }
  static void prepare() {
    answered = 0;
    runner::own().spawn(serve());
    runner::own().spawn(ask());
  }
  static void run() { runner::own().run(); }
  static bool finish() { return answered == operations::count(); }
};
template <size_t Bytes>
baton::endpoint<block<Bytes>, block<Bytes>> calls<Bytes>::endpoint;
template <size_t Bytes>
uint32_t calls<Bytes>::answered;

// ---- spawn: a task that does nothing is created, runs and ends; many are awaited together

constexpr uint32_t spawned_together = is_small ? 4 : 1000;

struct spawns : workload {
  static uint32_t ended;

  static task<> end() {
    ++ended;
    co_return;
  }
  static task<> begin_and_join(uint32_t count) {
    async::scope all;
    for (uint32_t done = 0; done != count; done += spawned_together) {
      for (uint32_t n = 0; n != spawned_together; ++n) all.spawn(end());
      co_await all.join();
    }
  }
  /// Runs a batch before the interval, so that the pool has a frame for each task.
  static void prepare() {
    runner::own().spawn(begin_and_join(spawned_together));
    runner::own().run();
    ended = 0;
    runner::own().spawn(begin_and_join(operations::count()));
  }
  static void run() { runner::own().run(); }
  static bool finish() { return ended == operations::count(); }
};
uint32_t spawns::ended;

// ---- idle_task: bytes of a suspended task, as the pool of frames counts them

struct idle_tasks {
  static baton::channel<uint64_t> channel;

  static task<> wait() {
    uint64_t n;
    if (co_await channel.receive(n) == baton::status::ok) wrong = true;
  }
  /// The bytes of `count` idle tasks.
  static size_t bytes(uint32_t count) {
    const size_t before = async::frames().live;
    for (uint32_t n = 0; n != count; ++n) runner::own().spawn(wait());
    const size_t taken = async::frames().live - before;
    runner::own().all().stop();
    runner::own().run();
    if (async::frames().live != before) wrong = true;
    return taken;
  }
};
baton::channel<uint64_t> idle_tasks::channel;

}  // namespace suite_async
