// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/measure.hpp>
#include <baton/kernel.hpp>

/// Asks the runner for the longest run of instructions with interrupts masked, `#m0` in a record.
extern "C" {
volatile char baton_watches_masks;
}

namespace suite_bounds {

namespace kernel = baton::kernel;
using baton::board::meter;
using kernel::tid;
using kernel::word;

/// A table of 200 tasks, all but the measuring one and a server clients.
constexpr uint8_t slots = 200, most = slots - 2;

/// The measuring task is more urgent than its scene, so a call which wakes the scene ends first.
constexpr kernel::priority measuring = 20, serving = 12, asking = 10;

constexpr word large = 65536;

BATON_KERNEL_MEMORY static kernel::system<slots, 24, 1> measured_kernel;
BATON_KERNEL_MEMORY static kernel::stack<2048> measuring_stack;
BATON_KERNEL_MEMORY static kernel::stack<512> server_stack;
BATON_KERNEL_MEMORY static kernel::stack<512> client_stacks[most];
BATON_KERNEL_MEMORY static kernel::stack<large> large_stack;
static char from[large + 4], to[large + 4];

static tid server, clients[most];
static bool fails;

inline tid make(kernel::priority p, void (*entry)(void*), void* argument, kernel::stack<512>& s) {
  const kernel::created c = kernel::create(kernel::describe(p, entry, s, "scene", argument));
  if (!c) fails = true;
  return c.id;
}

/// Lets the scene run until all of it waits.
inline void settle() {
  kernel::sleep(baton::milliseconds(100));
}

inline void end(tid t) {
  kernel::kill(t);
}

/// Asks the server, whose reply does not come.
inline void ask(void*) {
  kernel::send(server, "", 1, nullptr, 0);
}

inline void make_clients(uint8_t count) {
  for (uint8_t i = 0; i < count; ++i) clients[i] = make(asking, &ask, nullptr, client_stacks[i]);
  settle();
}
inline void end_clients(uint8_t count) {
  for (uint8_t i = 0; i < count; ++i) end(clients[i]);
}

/// Receives so many messages, and waits.
inline void hold(void* count) {
  for (word i = reinterpret_cast<word>(count); i; --i) kernel::receive(nullptr, 0);
  kernel::wait_notification(1);
}
inline void make_server(word receives) {
  server = make(serving, &hold, reinterpret_cast<void*>(receives), server_stack);
  settle();
}

struct scene : baton::bench::workload {
  static constexpr bool delimits = true;
  static bool finish() { return !fails; }
};

/// A message of the longest length, which is copied byte by byte.
struct copy : scene {
  static void take(void*) {
    kernel::receive(to + 1, kernel::longest_message);
    kernel::wait_notification(1);
  }
  static void prepare() {
    server = make(measuring, &take, nullptr, server_stack);
    settle();
  }
  static void run() {
    meter::start();
    kernel::send(server, from + 2, kernel::longest_message, nullptr, 0, baton::milliseconds(50));
    meter::stop();
    end(server);
  }
};

inline void wait_for_ever(void*) {
  kernel::wait_notification(1);
}
inline tid make_large() {
  const kernel::created c = kernel::create(kernel::describe(asking, &wait_for_ever, large_stack, "large"));
  if (!c) fails = true;
  return c.id;
}

/// A task with a large stack, which the kernel fills.
struct create_large : scene {
  static void run() {
    meter::start();
    const tid t = make_large();
    meter::stop();
    end(t);
  }
};

/// The kernel looks how much of a large stack was never written.
struct inspect_large : scene {
  static void prepare() { server = make_large(); }
  static void run() {
    kernel::task_report r;
    meter::start();
    kernel::inspect(static_cast<uint8_t>(server), r);
    meter::stop();
    if (r.id != server) fails = true;
    end(server);
  }
};

/// A server ends that has clients, received or not.
template <uint8_t Clients, bool AreReceived>
struct end_server : scene {
  static void prepare() {
    make_server(AreReceived ? Clients : 0);
    make_clients(Clients);
  }
  static void run() {
    meter::start();
    end(server);
    meter::stop();
    settle();
  }
};

/// One of a server's clients ends: the last of them.
struct end_client : scene {
  static void prepare() {
    make_server(0);
    make_clients(most);
  }
  static void run() {
    meter::start();
    end(clients[most - 1]);
    meter::stop();
    end_clients(most - 1);
    end(server);
  }
};

/// One more client queues behind all others, which are as urgent.
struct send_behind : scene {
  static void prepare() {
    make_server(0);
    make_clients(most - 1);
  }
  static void last(void*) {
    meter::start();
    kernel::send(server, "", 1, nullptr, 0, baton::milliseconds(1));
    meter::stop();
    kernel::wait_notification(1);
  }
  static void run() {
    const tid t = make(asking, &last, nullptr, client_stacks[most - 1]);
    kernel::sleep(baton::milliseconds(3));
    end(t);
    end_clients(most - 1);
    end(server);
  }
};

/// Tasks of which each has sent to the one before, the first to a server.
constexpr uint8_t links = 16;
struct chain : scene {
  static void ask_before(void* i) {
    const word n = reinterpret_cast<word>(i);
    kernel::send(n == 0 ? server : clients[n - 1], "", 1, nullptr, 0);
  }
  static void prepare() {
    make_server(0);
    for (uint8_t i = 0; i < links; ++i) {
      clients[i] = make(asking, &ask_before, reinterpret_cast<void*>(static_cast<word>(i)), client_stacks[i]);
      settle();
    }
  }
  static void finish_chain() {
    end_clients(links);
    end(server);
  }
};

/// A more urgent task sends to the last of them: all rise.
struct chain_rises : chain {
  static void run() {
    meter::start();
    kernel::send(clients[links - 1], "", 1, nullptr, 0, baton::milliseconds(1));
    meter::stop();
    finish_chain();
  }
};

/// It ends: all fall.
struct chain_settles : chain {
  static void be_urgent(void*) { kernel::send(clients[links - 1], "", 1, nullptr, 0); }
  static void run() {
    const tid t = make(measuring, &be_urgent, nullptr, client_stacks[links]);
    settle();
    meter::start();
    end(t);
    meter::stop();
    finish_chain();
  }
};

/// Many waits end at one tick.
struct time_out : scene {
  static baton::tick& due() {
    static baton::tick at;
    return at;
  }
  static void doze(void*) {
    kernel::wait_notification(1, baton::spi::limit_of_ticks(due() - kernel::now()));
    kernel::wait_notification(1);
  }
  static void prepare() {
    due() = kernel::now() + baton::duration(baton::milliseconds(400)).ticks();
    for (uint8_t i = 0; i < most; ++i) clients[i] = make(asking, &doze, nullptr, client_stacks[i]);
    settle();
  }
  static void run() {
    meter::start();
    kernel::sleep(baton::milliseconds(600));
    meter::stop();
    end_clients(most);
  }
};

/// Two rows of a scene: the longest run of instructions with interrupts masked, and the whole
/// interval.
template <typename Scene>
void measure_twice(const baton::bench::row& masked, const baton::bench::row& whole) {
  namespace detail = baton::bench::detail;
  detail::interval<Scene>();
  detail::begin_record(masked, meter::unit());
  detail::say(BATON_TEXT(" value=#m0"));
  detail::end_record(masked, meter::valid());
  detail::interval<Scene>();
  detail::begin_record(whole, meter::unit());
  detail::say(BATON_TEXT(" value=#0"));
  detail::end_record(whole, meter::valid());
}

#define MEASURE(name, params, ...)                                                                     \
  measure_twice<__VA_ARGS__>(                                                                          \
      baton::bench::row(BATON_TEXT("bounds"), BATON_TEXT(name), BATON_TEXT(params " what=masked"), 1), \
      baton::bench::row(BATON_TEXT("bounds"), BATON_TEXT(name), BATON_TEXT(params " what=interval"), 1))

}  // namespace suite_bounds
