// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/measure.hpp>
#include <baton/kernel.hpp>

// Send, receive and reply between two tasks of the kernel, and a switch from one to the other: the
// suite srr.

namespace suite_srr {

namespace kernel = baton::kernel;

using baton::bench::workload;
using kernel::word;

/// True on a machine of 2 KB: the stacks are small, and messages of 256 bytes are left out.
constexpr bool is_small = sizeof(word) == 2;

/// Round trips or switches in one interval, the divisor of its total.
using rounds = baton::bench::operations<is_small ? 100 : 500>;

// ---- The kernel: a task that measures, and the two that it creates for each interval

/// The measuring task goes on when both others have ended or wait.
constexpr kernel::priority measuring = 0, less_urgent = 1, more_urgent = 2;

constexpr word task_stack_bytes = is_small ? 320 : baton::kernel_port::least_stack < 4096 ? 1024 : 65536;
constexpr word measuring_stack_bytes = is_small ? 400 : 2 * task_stack_bytes;

BATON_KERNEL_MEMORY static kernel::system<3, 3, 1> measured_kernel;
BATON_KERNEL_MEMORY static kernel::stack<measuring_stack_bytes> measuring_stack;
BATON_TASK_MEMORY static kernel::private_stack<task_stack_bytes> one_stack, other_stack;

#ifdef BATON_PRIVATE_MEMORY

/// The variables of the measured tasks, which are private, and share them.
struct variables {
  kernel::tid server;
  volatile uint8_t wrong, ended;
  volatile uint32_t led, followed;
};
BATON_KERNEL_MEMORY static kernel::shared_memory<variables> shared;

static constexpr kernel::tid& server = shared.value.server;
static constexpr volatile uint8_t& wrong = shared.value.wrong;
static constexpr volatile uint8_t& ended = shared.value.ended;
static constexpr volatile uint32_t& led = shared.value.led;
static constexpr volatile uint32_t& followed = shared.value.followed;

inline kernel::task_description with_variables(kernel::task_description d) {
  d.touches.is_private = true;
  return kernel::sharing(shared, d);
}

#else

static kernel::tid server;
static volatile uint8_t wrong;
static volatile uint8_t ended;
static volatile uint32_t led, followed;

inline kernel::task_description with_variables(const kernel::task_description& d) {
  return d;
}

#endif

/// Creates a task and lets it run until it waits or has ended.
inline kernel::tid begin_task(kernel::priority priority, void (*entry)(void*), kernel::stack<task_stack_bytes>& stack,
                              const char* name) {
  const kernel::created c = kernel::create(with_variables(kernel::describe(priority, entry, stack, name)));
  if (!c) wrong = 1;
  return c.id;
}

// ---- send_receive_reply, reply_receive: a client sends `Bytes`, a server replies with the same

/// The client's work in a round trip.
template <word Bytes>
struct conversation {
  uint32_t message[Bytes / 4] = {};
  uint32_t reply[Bytes / 4] = {};

  BATON_INLINE void ask(uint_fast16_t n) { message[0] = static_cast<uint32_t>(n); }
  BATON_INLINE bool is_wrong(word replied) const { return replied != Bytes || reply[0] != message[0]; }
};

/// That work for each round trip, without a server.
template <word Bytes>
struct round_base : workload {
  static void prepare() { wrong = 0; }
  static BATON_INLINE void run() {
    conversation<Bytes> c;
    uint_fast16_t n = rounds::count();
    do {
      c.ask(n);
      BATON_COMPILER_BARRIER();
      c.reply[0] = c.message[0];
      __asm__ volatile("" ::"r"(&c) : "memory");
      if (c.is_wrong(Bytes)) wrong = 1;
    } while (--n);
  }
  static bool finish() { return !wrong; }
};

struct receives_and_replies {
  template <word Bytes>
  static void serve(void*) {
    uint32_t buffer[Bytes / 4];
    for (;;) {
      const kernel::received m = kernel::receive(buffer, Bytes);
      kernel::reply(m.client, buffer, m.length());
    }
  }
};

struct replies_and_receives {
  template <word Bytes>
  static void serve(void*) {
    uint32_t buffer[Bytes / 4];
    kernel::received m = kernel::receive(buffer, Bytes);
    for (;;) m = kernel::reply_receive(m.client, buffer, m.length(), buffer, Bytes);
  }
};

/// `Server` is the kind of server, `Urgency` its priority. The task of the higher priority is the
/// first to block in each round.
template <typename Server, word Bytes, kernel::priority Urgency>
struct round_trip : workload {
  static constexpr bool delimits = true;

  static void ask(void*) {
    conversation<Bytes> c;
    uint_fast16_t n = 2;  // the first round begins differently
    do {
      send(c, n);
    } while (--n);
    n = rounds::count();
    baton::board::meter::start();
    do {
      send(c, n);
    } while (--n);
    baton::board::meter::stop();
    ended = 1;
  }

  static void prepare() {
    wrong = ended = 0;
    server = begin_task(Urgency, &Server::template serve<Bytes>, one_stack, "server");
  }
  static void run() { begin_task(less_urgent + more_urgent - Urgency, &ask, other_stack, "client"); }
  static bool finish() { return kernel::kill(server) && ended && !wrong; }

 private:
  static BATON_INLINE void send(conversation<Bytes>& c, uint_fast16_t n) {
    c.ask(n);
    if (c.is_wrong(kernel::send(server, c.message, Bytes, c.reply, Bytes).length())) wrong = 1;
  }
};

// ---- task_switch: two tasks of the same priority yield in turn, so a turn of the leader's loop is
// two switches

/// The leader's counting alone.
struct turn_base : workload {
  static BATON_INLINE void run() {
    uint_fast16_t n = rounds::count() / 2;
    do __asm__ volatile("" : "+r"(n)::"memory");
    while (--n);
  }
};

/// Each task counts its turns by itself, and stores the count at the end.
struct task_switch : workload {
  static constexpr bool delimits = true;

  static void follow(void*) {
    uint32_t turns = 0;
    do {
      ++turns;
      kernel::yield();
    } while (!ended);
    followed = turns;
  }
  static void lead(void*) {
    begin_task(less_urgent, &follow, other_stack, "follower");
    kernel::yield();  // the follower has begun, and is in its first turn
    uint_fast16_t n = rounds::count() / 2;
    baton::board::meter::start();
    do kernel::yield();
    while (--n);
    baton::board::meter::stop();
    led = rounds::count() / 2;
    ended = 1;
  }

  static void prepare() { wrong = ended = led = followed = 0; }
  static void run() { begin_task(less_urgent, &lead, one_stack, "leader"); }
  static bool finish() { return ended && !wrong && followed == led + 1; }
};

}  // namespace suite_srr
