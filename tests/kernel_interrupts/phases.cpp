// SPDX-License-Identifier: MIT
//
// Lets a timer interrupt at every phase of the kernel's calls. Its handler, strike(), raises events
// and notifies tasks: no wake is lost, the kernel's queues are whole after each, and every call
// ends as it should. The program is linked with the port's unchanged timer, except that it calls
// strike(): see CMakeLists.txt.
#include <baton/kernel.hpp>

#include "../interrupts/verdict.hpp"
#include "walk.hpp"

namespace {

namespace kernel = baton::kernel;
using baton::port;
using baton::tick;
using kernel::word;

constexpr uint8_t awaited = 0, driven = 1, unheard = 2;  // events
constexpr word for_listener = 1, for_driver = 2;         // notification bits
constexpr baton::duration long_enough = baton::ticks(port::ticks_per_second / 10);

BATON_KERNEL_MEMORY kernel::system<8, 6, 3> system;
BATON_KERNEL_MEMORY kernel::stack<1024> driver_stack;
BATON_KERNEL_MEMORY kernel::stack<512> watcher_stack, listener_stack, server_stack, combined_stack, child_stack;

kernel::tid driver, listener, server, combined;

/// The counts of interrupts, and of the tasks that have noticed them.
volatile uint32_t strikes, watched, listened;
volatile bool is_armed;
tick strike_due;
volatile uint32_t mistakes;

void expect(bool is_right) {
  if (!is_right) mistakes = mistakes + 1;
}

/// The first fault of the kernel's queues. The queues are not tested every time, because that takes
/// longer than all else: an interrupt has the same effect at neighbouring phases.
const char* wrong_queue;
uint32_t looks;
constexpr uint32_t looked_once_in = 5;

void look() {
  if (looks++ % looked_once_in != 0) return;
  const port::critical masked;
  if (!wrong_queue) wrong_queue = walk::wrong(system);
}

// ---- The tasks. Tasks that wait for an interrupt have a higher priority than the driver, so they
// have noticed it when the driver goes on.

void watch(void*) {
  for (;;) {
    expect(kernel::wait_interrupt_event(awaited).is_ok());
    watched = watched + 1;
  }
}

/// Sends after an interrupt, too, to a task to which the driver may be sending.
void listen(void*) {
  for (;;) {
    expect(kernel::wait_notification(for_listener).bits == for_listener);
    listened = listened + 1;
    const word message = listened;
    word reply = 0;
    expect(kernel::send(listened % 2 ? server : combined, &message, sizeof message, &reply, sizeof reply).length() ==
           sizeof reply);
    expect(reply == ~message);
  }
}

/// Has a lower priority than the driver, so that messages queue. It tests the queues, too.
void serve(void*) {
  word message;
  for (;;) {
    const kernel::received r = kernel::receive(&message, sizeof message);
    expect(r.length() == sizeof message);
    look();
    message = ~message;
    expect(kernel::reply(r.client, &message, sizeof message).is_ok());
  }
}

void serve_in_one_call(void*) {
  word message;
  kernel::received r = kernel::receive(&message, sizeof message);
  for (;;) {
    expect(r.length() == sizeof message);
    message = ~message;
    r = kernel::reply_receive(r.client, &message, sizeof message, &message, sizeof message);
  }
}

void end_at_once(void*) {}

// ---- The driver's work while an interrupt comes.

word messages_sent;

void send_to(kernel::tid to) {
  const word message = ++messages_sent;
  word reply = 0;
  expect(kernel::send(to, &message, sizeof message, &reply, sizeof reply).length() == sizeof reply);
  expect(reply == ~message);
}

void send_and_reply() {
  send_to(server);
}

void send_and_reply_receive() {
  send_to(combined);
}

void notify() {
  expect(kernel::notify(driver, 4).is_ok());
  const kernel::notifications n = kernel::wait_notification(4 | 8, baton::duration());
  expect(n && n.bits == 4);
}

void wait_interrupt_event() {
  expect(kernel::wait_interrupt_event(driven, long_enough).is_ok());
}

void wait_notification() {
  const kernel::notifications n = kernel::wait_notification(for_driver, long_enough);
  expect(n && n.bits == for_driver);
}

/// The timeout comes at the same time as the interrupt, or the event does, and is not lost then.
void time_out() {
  const kernel::error e = kernel::wait_interrupt_event(unheard, baton::ticks(3)).why();
  expect(e == kernel::error::none || e == kernel::error::timed_out);
}

void sleep() {
  const tick before = kernel::now();
  expect(kernel::sleep(baton::ticks(3)).is_ok());
  expect(kernel::now() - before >= 3);
}

void create(kernel::priority priority) {
  const kernel::created c = kernel::create(kernel::describe(priority, end_at_once, child_stack, "child"));
  expect(c.result.is_ok());
  kernel::yield();
  expect(kernel::kill(c.id).why() == kernel::error::bad_task);
}

void create_as_urgent() {
  create(1);
}

void create_more_urgent() {
  create(5);
}

void kill() {
  const kernel::created c = kernel::create(kernel::describe(0, end_at_once, child_stack, "child"));
  expect(c.result.is_ok());
  expect(kernel::kill(c.id).is_ok());
}

void small_calls() {
  expect(kernel::my_tid() == driver);
  kernel::yield();
  expect(kernel::parent() == kernel::no_task);
}

struct deed {
  const char* name;
  void (*run)();
};
const deed deeds[] = {
    {"send, receive, reply", send_and_reply},
    {"reply_receive", send_and_reply_receive},
    {"notify", notify},
    {"wait_interrupt_event", wait_interrupt_event},
    {"wait_notification", wait_notification},
    {"timeout", time_out},
    {"sleep", sleep},
    {"create and exit", create_as_urgent},
    {"create one that is more urgent", create_more_urgent},
    {"kill", kill},
    {"my_tid, yield, parent", small_calls},
};

// ---- The sweep.

/// Takes at most `rests` instructions per turn.
__attribute__((noinline)) void pass(uint32_t turns) {
  for (; turns; --turns) __asm__ volatile("nop");
}
constexpr uint8_t rests = 5;
constexpr uint8_t turns_beyond = 3;

[[noreturn]] void fail(const char* what, const deed& d, uint32_t turns) {
  verdict::say(what);
  verdict::say(", during ");
  verdict::line(d.name, turns);
  verdict::line("interrupts", strikes);
  verdict::line("events taken", watched);
  verdict::line("notifications taken", listened);
  verdict::line("mistakes", mistakes);
  verdict::give(false);
}

const char* wrong() {
  if (mistakes != 0) return "a call ended otherwise than it should";
  if (watched != strikes) return "an event was lost, or came twice";
  if (listened != strikes) return "a notification was lost, or came twice";
  return wrong_queue;
}

/// Sets the alarm at the beginning of a tick, and again if it passed before it was set.
void arm(tick ahead) {
  const tick before = port::now();
  while (port::now() == before) {
  }
  is_armed = true;
  do {
    strike_due = port::now() + ahead;
    port::alarm(strike_due);
  } while (is_armed && static_cast<baton::tick_difference>(port::now() - strike_due) >= 0);
}

/// Takes what the interrupt has left for the driver alone, so that every round begins in the same
/// state.
void settle(const deed& d, uint32_t turns) {
  const tick due = port::now() + long_enough;
  while (is_armed) {
    if (static_cast<baton::tick_difference>(port::now() - due) > 0) fail("the interrupt does not come", d, turns);
  }
  if (const char* what = wrong()) fail(what, d, turns);
  kernel::wait_interrupt_event(driven, baton::duration());
  kernel::wait_interrupt_event(unheard, baton::duration());
  kernel::wait_notification(for_driver | 4, baton::duration());
  look();
  if (const char* what = wrong()) fail(what, d, turns);
}

/// Returns whether the interrupt came before the deed.
template <uint8_t Rest>
__attribute__((noinline)) bool strike_during(const deed& d, uint32_t turns, tick ahead) {
  arm(ahead);
  __asm__ volatile(".rept %c0\n\tnop\n\t.endr" ::"i"(Rest));
  pass(turns);
  const bool came_early = !is_armed;
  if (came_early && watched != strikes) fail("an interrupt wakes nobody", d, turns);
  d.run();
  settle(d, turns);
  return came_early;
}

/// Sweeps from an interrupt that comes after the deed, unless the deed waits for it, to one that
/// comes before.
template <uint8_t Rest>
struct sweep {
  static void run(const deed& d, tick ahead) {
    uint32_t turns = 0;
    for (uint8_t beyond = 0; beyond < turns_beyond; ++turns) {
      beyond = strike_during<Rest>(d, turns, ahead) ? static_cast<uint8_t>(beyond + 1) : 0;
    }
    sweep<Rest - 1>::run(d, ahead);
  }
};
template <>
struct sweep<static_cast<uint8_t>(-1)> {
  static void run(const deed&, tick) {}
};

/// Measures the time of a deed together with all that an interrupt adds to it.
tick ahead_of(const deed& d) {
  const tick before = port::now();
  arm(8);
  d.run();
  const tick after = port::now();
  settle(d, 0);
  return after - before + 2;
}

void drive(void*) {
  driver = kernel::my_tid();
  for (const deed& d : deeds) {
    const uint32_t before = strikes;
    sweep<rests - 1>::run(d, ahead_of(d));
    verdict::line(d.name, strikes - before);
  }
  verdict::give(strikes > 1000);
}

/// The kernel's alarm may come first, and replace this one.
bool is_time() {
  if (!is_armed) return false;
  if (static_cast<baton::tick_difference>(port::now() - strike_due) < 0) port::alarm(strike_due);
  return static_cast<baton::tick_difference>(port::now() - strike_due) >= 0;
}

}  // namespace

/// Called by the timer's interrupt.
extern "C" __attribute__((used, externally_visible)) void baton_strike() {
  if (!is_time()) return;
  is_armed = false;
  strikes = strikes + 1;
  kernel::from_interrupt::raise_event(system, awaited);
  kernel::from_interrupt::raise_event(system, driven);
  kernel::from_interrupt::raise_event(system, unheard);
  kernel::from_interrupt::notify(system, listener, for_listener);
  kernel::from_interrupt::notify(system, driver, for_driver);
}

int main() {
  baton::board::start();
  system.create(kernel::describe(5, watch, watcher_stack, "watcher"));
  listener = system.create(kernel::describe(4, listen, listener_stack, "listener")).id;
  server = system.create(kernel::describe_privileged(0, serve, server_stack, "server")).id;
  combined = system.create(kernel::describe(2, serve_in_one_call, combined_stack, "combined server")).id;
  driver = system.create(kernel::describe_privileged(1, drive, driver_stack, "driver")).id;
  system.run();
  verdict::give(false);
}
