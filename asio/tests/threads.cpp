// SPDX-License-Identifier: MIT
//
// Two loops on two threads, each over a poller of Asio, for ThreadSanitizer. They exchange data
// through a connection, and wake each other many times by their mailboxes, which wake the pollers.
// With BATON_TEST_RACE both write to the same variable without synchronization.
#include <baton/asio.hpp>
#include <baton/async/loop.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <thread>

namespace net = boost::asio;

using baton::asio::use_baton;
using baton::async::task;

namespace {

constexpr uint32_t rounds = 2000;

/// A signal in this loop, which the other loop sets.
struct side {
  static void arrive(void* s) { static_cast<side*>(s)->notified.set(); }

  const baton::async::loop_handle handle = baton::async::loop_handle::make();
  baton::async::message_node message{&arrive, this};
  baton::signal notified;
  uint32_t heard = 0;
  uint32_t seen = 0;
};

side sides[2];
uint32_t written_by_both;

task<> talk(int descriptor, uint32_t& heard) {
  net::local::stream_protocol::socket s(baton::asio::context(), net::local::stream_protocol(), descriptor);
  for (uint32_t i = 0; i < rounds; ++i) {
    uint32_t got = 0;
    (co_await net::async_write(s, net::buffer(&i, sizeof i), use_baton)).value();
    (co_await net::async_read(s, net::buffer(&got, sizeof got), use_baton)).value();
    heard += got == i;
  }
}

/// Notifies the other loop and waits for its own signal, in turn; the second loop begins with the
/// wait.
task<> notify_in_turn(side& own, side& other, bool is_first) {
  for (uint32_t i = 0; i < rounds; ++i) {
    if (is_first && !other.handle.mailbox().post(other.message)) co_return;
    if (co_await own.notified.wait() != baton::status::ok) co_return;
    if (!is_first && !other.handle.mailbox().post(other.message)) co_return;
    ++own.seen;
  }
}

void live(side& own, side& other, int descriptor) {
#ifdef BATON_TEST_RACE
  ++written_by_both;  // before the first exchange, which would order the writes
#endif
  baton::asio::poller io;
  baton::async::loop all(io, own.handle);
  all.spawn(talk(descriptor, own.heard));
  all.spawn(notify_in_turn(own, other, &own == sides));
  all.run();
}

}  // namespace

int main() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  std::thread first([&] { live(sides[0], sides[1], ends[0]); });
  std::thread second([&] { live(sides[1], sides[0], ends[1]); });
  first.join();
  second.join();
  const bool good =
      sides[0].heard == rounds && sides[1].heard == rounds && sides[0].seen == rounds && sides[1].seen == rounds;
  printf("verdict: %s %u\n", good ? "good" : "bad", written_by_both == 0 ? 0u : 1u);
  return good ? 0 : 1;
}
