// SPDX-License-Identifier: MIT
#include <program.hpp>

// A server that ends at any point of the protocol leaves no client waiting.

using namespace baton;
using kernel::error;
using test::ms;
using test::program;

namespace {

/// The state of the server when it is killed, or ends by itself.
enum class point : uint8_t {
  before_receive,      // the server sleeps, and its clients are queued
  in_receive,          // the server waits for a message
  before_reply,        // the server sleeps, and has received one message
  all_received,        // the server has received from all clients
  in_reply_receive,    // the server has served one client, and waits for the next
  in_further_send,     // the server waits for a further server to receive
  in_further_reply,    // the server waits for a further server to reply
  in_await_event,      // the server waits for an interrupt
  in_await_notice,     // the server waits for notification bits
  preempted,           // the server works
  after_reply_to_one,  // the server has served one of several clients
};
constexpr uint8_t points = 11;

enum class way : uint8_t { killed, exits, overflows };

struct counted {
  uint8_t begun = 0;
  uint8_t ended[kernel::errors] = {};
  uint8_t received = 0;
};

void act(point at, kernel::tid further, counted& c) {
  char m;
  kernel::reply_token client = kernel::no_client;
  const auto receive = [&] {
    const kernel::received r = kernel::receive(&m, 1);
    c.received += r.result.is_ok();
    client = r.client;
  };
  switch (at) {
    case point::before_receive:
      break;
    case point::in_receive:
      kernel::set_notification_mask(1);
      receive();
      break;
    case point::before_reply:
      receive();
      break;
    case point::all_received:
      for (uint8_t i = 0; i < 3; ++i) receive();
      break;
    case point::in_reply_receive: {
      receive();
      kernel::reply(client, "", 0);
      receive();
      kernel::reply(client, "", 0);
      receive();
      kernel::set_notification_mask(1);
      const kernel::received r = kernel::reply_receive(client, "", 0, &m, 1);
      c.received += r.result.is_ok();
      break;
    }
    case point::in_further_send:
    case point::in_further_reply:
      receive();
      kernel::send(further, "", 0, nullptr, 0);
      break;
    case point::in_await_event:
      receive();
      kernel::wait_interrupt_event(1);
      break;
    case point::in_await_notice:
      receive();
      kernel::wait_notification(1);
      break;
    case point::preempted:
      receive();
      sim::advance(ms(50));
      break;
    case point::after_reply_to_one:
      receive();
      kernel::reply(client, "", 0);
      receive();
      break;
  }
}

/// Three clients, one of them with a timeout, send to a server that ends at a point. Each send must
/// end, and no message may be received twice.
void end_server(point at, way how, uint8_t client_priority) {
  program p;
  sim::clock::get().now = 0;
  counted c;
  const kernel::tid further = p.task("further", 1, [&] {
    if (at == point::in_further_reply) kernel::receive(nullptr, 0);
    kernel::sleep(ms(400));
  });
  const kernel::tid server = p.task("server", 4, [&] {
    kernel::sleep(ms(1));
    act(at, further, c);
    kernel::sleep(ms(20));
    if (how == way::exits) kernel::exit();
    if (how == way::overflows) *p.system.running->stack = 0;
    kernel::sleep(ms(300));
  });
  for (uint8_t i = 0; i < 3; ++i) {
    p.task("client", client_priority, [&, i] {
      if (at == point::in_receive) kernel::sleep(ms(40));  // this client comes when the server has gone
      ++c.begun;
      const time_limit timeout = i == 2 ? ticks(ms(200)) : time_limit(forever);
      const error e = kernel::send(server, "m", 1, nullptr, 0, timeout).why();
      ++c.ended[static_cast<uint8_t>(e)];
    });
  }
  p.task("killer", 7, [&] {
    kernel::sleep(ms(10));
    if (how == way::killed) CHECK(kernel::kill(server));
    kernel::sleep(ms(20));
    if (how != way::killed && p.system.find(server)) {  // the server waits, and cannot end by itself
      kernel::notify(server, 1);
      kernel::from_interrupt::raise_event(p.system, 1);
      kernel::kill(further);
      kernel::sleep(ms(60));
    }
    CHECK_WITH(p.system.find(server) == nullptr, static_cast<uint8_t>(at));
  });
  p.run();
  uint8_t ended = 0;
  for (uint8_t e : c.ended) ended = static_cast<uint8_t>(ended + e);
  CHECK_WITH(c.begun == 3, static_cast<uint8_t>(at));
  CHECK_WITH(ended == 3, static_cast<uint8_t>(at));
  CHECK_WITH(c.received <= 3, static_cast<uint8_t>(at));
  const uint8_t gone = c.ended[static_cast<uint8_t>(error::peer_gone)];
  const uint8_t unknown = c.ended[static_cast<uint8_t>(error::bad_task)];
  const uint8_t served = c.ended[static_cast<uint8_t>(error::none)];
  CHECK_WITH(gone + unknown + served == 3, static_cast<uint8_t>(at));
  CHECK_WITH((at != point::in_receive || how != way::killed || unknown == 3), static_cast<uint8_t>(at));
  if (at == point::in_reply_receive) CHECK_EQ(served, 3);
  if (at == point::after_reply_to_one) CHECK_EQ(served, 1);
  CHECK_WITH((at == point::in_receive || at == point::in_reply_receive || gone >= 2), static_cast<uint8_t>(at));
  // No task has kept an inherited priority, or is left in a queue.
  for (kernel::tcb* t = p.system.table; t != p.system.table + p.system.slots; ++t) {
    CHECK((t->is_free() || (t->priority == t->base_priority && !t->senders)));
  }
}

}  // namespace

TEST_CASE("a server that is killed at any point of the protocol leaves no client waiting") {
  for (uint8_t at = 0; at < points; ++at) {
    for (uint8_t priority : {2, 4, 6}) end_server(static_cast<point>(at), way::killed, priority);
  }
}

TEST_CASE("nor does one that ends by itself") {
  for (uint8_t at = 0; at < points; ++at) {
    for (uint8_t priority : {2, 4, 6}) end_server(static_cast<point>(at), way::exits, priority);
  }
}

TEST_CASE("nor does one that overflows its stack") {
  for (uint8_t at = 0; at < points; ++at) {
    for (uint8_t priority : {2, 4, 6}) end_server(static_cast<point>(at), way::overflows, priority);
  }
}

TEST_CASE("a client that dies leaves its server free, which is told so by its reply") {
  for (bool is_received : {false, true}) {
    program p;
    sim::clock::get().now = 0;
    const kernel::tid server = p.task("server", 2, [&] {
      if (!is_received) kernel::sleep(ms(5));
      const kernel::received m = kernel::receive(nullptr, 0, ms(10));
      CHECK_EQ(m.result.is_ok(), is_received);
      kernel::sleep(ms(10));
      if (is_received) CHECK(kernel::reply(m.client, "", 0).why() == error::no_right);
      CHECK_EQ(p.system.running->priority, 2);
    });
    const kernel::tid client = p.task("client", 5, [&] { kernel::send(server, "", 0, nullptr, 0); });
    p.task("killer", 7, [&] {
      kernel::sleep(ms(2));
      CHECK(kernel::kill(client));
    });
    p.run();
  }
}
