// SPDX-License-Identifier: MIT
#include <boost/fiber/all.hpp>
#include <boost/version.hpp>
#include <peer.hpp>
#include <producers.hpp>

namespace {

namespace fibers = boost::fibers;
using fibers::channel_op_status;
using fibers::fiber;
using fibers::launch;

uint64_t switching(uint64_t count, peer::stopwatch& watch) {
  uint64_t switches = 0;
  const auto body = [&] {
    while (++switches < count) boost::this_fiber::yield();
  };
  fiber first{body};
  fiber second{body};
  watch.start();
  first.join();
  second.join();
  watch.stop();
  return switches - 1;  // the second task raises the counter once more, to see that it is full
}

uint64_t rendezvous(uint64_t count, peer::stopwatch& watch) {
  fibers::unbuffered_channel<uint64_t> between;
  uint64_t received = 0;
  fiber reader{[&] {
    for (uint64_t number = 0; between.pop(number) == channel_op_status::success;) received += number == received;
  }};
  fiber writer{[&] {
    for (uint64_t number = 0; number != count; ++number) between.push(number);
    between.close();
  }};
  watch.start();
  writer.join();
  reader.join();
  watch.stop();
  return received;
}

template <size_t Bytes>
uint64_t calling(uint64_t count, peer::stopwatch& watch) {
  using block = peer::block<Bytes>;
  fibers::unbuffered_channel<block> requests;
  fibers::unbuffered_channel<block> replies;
  uint64_t handled = 0;
  fiber server{[&] {
    for (block message; requests.pop(message) == channel_op_status::success;) {
      ++message.word;
      replies.push(message);
    }
  }};
  fiber client{[&] {
    block request;
    block reply;
    for (uint64_t number = 0; number != count; ++number) {
      request.word = static_cast<uint32_t>(number);
      requests.push(request);
      replies.pop(reply);
      if (reply.word == request.word + 1) ++handled;
    }
    requests.close();
  }};
  watch.start();
  client.join();
  server.join();
  watch.stop();
  return handled;
}

using event_channel = fibers::buffered_channel<peer::event>;
/// The channel holds one value less than this, which has to be a power of two.
constexpr size_t capacity = 2 * size_t{peer::events::batch};

uint64_t event(uint64_t count, bool random, peer::stopwatch& watch) {
  event_channel queue{capacity};
  peer::handlers handlers;
  peer::events events{random};
  peer::event happened;
  watch.start();
  for (uint64_t done = 0; done < count; done += peer::events::batch) {
    const uint64_t size = std::min<uint64_t>(count - done, peer::events::batch);
    for (uint64_t number = 0; number != size; ++number) queue.try_push(events.next());
    while (queue.try_pop(happened) == channel_op_status::success) handlers.dispatch(happened);
    peer::escape();
  }
  watch.stop();
  return handlers.handled();
}

uint64_t cross_thread(uint64_t count, unsigned producers, peer::stopwatch& watch) {
  event_channel queue{capacity};
  peer::handlers handlers;
  peer::producers threads{producers, count, [&](uint64_t share) {
                            peer::events events{false};
                            for (uint64_t number = 0; number != share; ++number) queue.push(events.next());
                          }};
  peer::event happened;
  watch.start();
  threads.go();
  while (handlers.handled() != count && queue.pop(happened) == channel_op_status::success) {
    handlers.dispatch(happened);
  }
  watch.stop();
  threads.join();
  return handlers.handled();
}

/// The smallest stack that the library allows.
const size_t stack_bytes = fibers::fixedsize_stack::traits_type::minimum_size();

uint64_t spawn(uint64_t count, peer::stopwatch& watch) {
  static fibers::pooled_fixedsize_stack stacks{stack_bytes};
  std::vector<fiber> batch(1000);
  uint64_t ended = 0;
  watch.start();
  for (uint64_t done = 0; done < count; done += batch.size()) {
    for (fiber& each : batch) each = fiber{launch::post, std::allocator_arg, stacks, [&ended] { ++ended; }};
    for (fiber& each : batch) each.join();
  }
  watch.stop();
  return ended;
}

void idle_task(peer::session& session) {
  constexpr uint64_t count = 100'000;
  fibers::fixedsize_stack stacks{stack_bytes};
  fibers::unbuffered_channel<uint64_t> between;
  uint64_t ended = 0;
  std::vector<fiber> idlers(count);
  const uint64_t before = peer::allocated_bytes();
  for (fiber& each : idlers) {
    each = fiber{launch::dispatch, std::allocator_arg, stacks, [&] {
                   uint64_t number = 0;
                   ended += between.pop(number) == channel_op_status::closed;
                 }};
  }
  session.bytes("idle_task", count, peer::allocated_bytes() - before, "mallinfo2");
  between.close();
  for (fiber& each : idlers) each.join();
  session.expect("idle_task", count, ended);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string version =
      std::to_string(BOOST_VERSION / 100000) + "." + std::to_string(BOOST_VERSION / 100 % 1000) + ".0";
  peer::session session{argc, argv, "fiber", version.c_str()};
  if (session.alone("async")) {
    session.time("switch", 100'000, switching);
    session.time("rendezvous", 20'000, rendezvous);
    session.time("call bytes=4", 10'000, calling<4>);
    session.time("call bytes=64", 10'000, calling<64>);
    session.time("call bytes=256", 10'000, calling<256>);
    session.time("event types=predictable", 50 * peer::events::batch,
                 [](auto n, auto& watch) { return event(n, false, watch); });
    session.time("event types=random", 50 * peer::events::batch,
                 [](auto n, auto& watch) { return event(n, true, watch); });
    session.time("spawn", 10'000, spawn);
    idle_task(session);
  }
  if (session.threads("async")) {
    for (const unsigned producers : peer::producer_counts) {
      session.time(peer::cross_thread(producers), 100'000,
                   [=](auto n, auto& watch) { return cross_thread(n, producers, watch); });
    }
  }
  return session.code();
}
