// SPDX-License-Identifier: MIT
#include <peer.hpp>
#include <producers.hpp>

#include "actors.hpp"
#include "service.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(peer::event)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(peer::block<4>)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(peer::block<64>)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(peer::block<256>)

namespace {

/// Sends the number on until it is `count`; the number is the count of messages.
caf::behavior player(caf::event_based_actor* self, uint64_t count, uint64_t* messages, done* ended) {
  return {[=](uint64_t number, const caf::actor& other) {
    *messages += number == *messages ? 1 : 0;
    if (number + 1 != count) {
      self->send(other, number + 1, caf::actor_cast<caf::actor>(self));
    } else {
      ended->set_value();
    }
  }};
}

uint64_t rendezvous(caf::actor_system& system, uint64_t count, peer::stopwatch& watch) {
  uint64_t messages = 0;
  done ended;
  const caf::actor first = system.spawn(player, count, &messages, &ended);
  const caf::actor second = system.spawn(player, count, &messages, &ended);
  watch.start();
  caf::anon_send(first, uint64_t{0}, second);
  ended.get_future().wait();
  watch.stop();
  caf::anon_send_exit(first, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(second, caf::exit_reason::user_shutdown);
  system.await_all_actors_done();
  return messages;
}

template <typename Block>
caf::behavior server(caf::event_based_actor*) {
  return {[](Block message) {
    ++message.word;
    return message;
  }};
}

template <typename Block>
void call(caf::event_based_actor* self, const caf::actor& server, uint64_t left, uint64_t* handled, done* ended) {
  Block request;
  request.word = static_cast<uint32_t>(left);
  self->request(server, caf::infinite, request).then([=](const Block& reply) {
    *handled += reply.word == request.word + 1 ? 1 : 0;
    if (left != 1) {
      call<Block>(self, server, left - 1, handled, ended);
    } else {
      ended->set_value();
    }
  });
}

template <size_t Bytes>
uint64_t calling(caf::actor_system& system, uint64_t count, peer::stopwatch& watch) {
  using block = peer::block<Bytes>;
  uint64_t handled = 0;
  done ended;
  const caf::actor replying = system.spawn(server<block>);
  watch.start();
  system.spawn([&](caf::event_based_actor* self) { call<block>(self, replying, count, &handled, &ended); });
  ended.get_future().wait();
  watch.stop();
  caf::anon_send_exit(replying, caf::exit_reason::user_shutdown);
  system.await_all_actors_done();
  return handled;
}

/// An actor that sends itself a batch of events, handles them, and sends itself the next.
struct own_events {
  peer::events source;
  peer::handlers handlers;
  uint64_t count;
  uint64_t pushed = 0;
  done ended;
};

caf::behavior dispatcher(caf::event_based_actor* self, own_events* work) {
  const auto push = [=] {
    const uint64_t size = std::min<uint64_t>(work->count - work->pushed, peer::events::batch);
    for (uint64_t number = 0; number != size; ++number) self->send(self, work->source.next());
    work->pushed += size;
    if (size == 0) work->ended.set_value();
  };
  return {[=](const peer::event& happened) {
            work->handlers.dispatch(happened);
            if (work->handlers.handled() == work->pushed) push();
          },
          [=](tick) { push(); }};
}

uint64_t event(caf::actor_system& system, uint64_t count, bool random, peer::stopwatch& watch) {
  own_events work{peer::events{random}, {}, count, 0, {}};
  const caf::actor actor = system.spawn(dispatcher, &work);
  watch.start();
  caf::anon_send(actor, tick_v);
  work.ended.get_future().wait();
  watch.stop();
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  system.await_all_actors_done();
  return work.handlers.handled();
}

uint64_t cross_thread(caf::actor_system& system, uint64_t count, unsigned producers, peer::stopwatch& watch) {
  peer::handlers handlers;
  done ended;
  const caf::actor actor = system.spawn([&](caf::event_based_actor*) -> caf::behavior {
    return {[&](const peer::event& happened) {
      handlers.dispatch(happened);
      if (handlers.handled() == count) ended.set_value();
    }};
  });
  peer::producers threads{producers, count, [&](uint64_t share) {
                            peer::events events{false};
                            for (uint64_t number = 0; number != share; ++number) {
                              caf::anon_send(actor, events.next());
                            }
                          }};
  watch.start();
  threads.go();
  ended.get_future().wait();
  watch.stop();
  threads.join();
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  system.await_all_actors_done();
  return handlers.handled();
}

uint64_t spawn(caf::actor_system& system, uint64_t count, peer::stopwatch& watch) {
  uint64_t ended = 0;
  watch.start();
  for (uint64_t of_all = 0; of_all < count; of_all += 1000) {
    for (int number = 0; number != 1000; ++number) {
      system.spawn([&ended](caf::event_based_actor*) { ++ended; });
    }
    system.await_all_actors_done();
  }
  watch.stop();
  return ended;
}

/// A thread of CAF fires timers by itself. So all are armed before the first is due, they are due
/// over a longer time than firing takes, and the figure is the processor's time.
uint64_t timer(caf::actor_system& system, uint64_t count, peer::stopwatch& watch) {
  constexpr uint64_t arming_ns = 4000;
  constexpr uint64_t between_ns = 3000;
  uint64_t fired = 0;
  done ended;
  watch.start(CLOCK_PROCESS_CPUTIME_ID);
  const caf::actor actor = system.spawn([&](caf::event_based_actor* self) -> caf::behavior {
    peer::random_numbers numbers;
    const uint64_t first = peer::now_ns() + count * arming_ns;
    for (uint64_t number = 0; number != count; ++number) {
      const uint64_t due = first + numbers.next() % count * between_ns;
      const uint64_t now = peer::now_ns();
      self->delayed_send(self, std::chrono::nanoseconds{due > now ? due - now : 0}, tick_v);
    }
    return {[&](tick) {
      if (++fired == count) ended.set_value();
    }};
  });
  ended.get_future().wait();
  watch.stop();
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  system.await_all_actors_done();
  return fired;
}

void idle_task(caf::actor_system& system, peer::session& session) {
  constexpr uint64_t count = 100'000;
  uint64_t handled = 0;
  std::vector<caf::actor> idlers(count);
  const uint64_t before = peer::allocated_bytes();
  for (caf::actor& each : idlers) {
    each = system.spawn([&](caf::event_based_actor* self) -> caf::behavior {
      return {[&handled, self](tick) {
        ++handled;
        self->quit();
      }};
    });
  }
  std::this_thread::sleep_for(std::chrono::seconds{1});  // until each has run and waits
  session.bytes("idle_task", count, peer::allocated_bytes() - before, "mallinfo2");
  for (const caf::actor& each : idlers) caf::anon_send(each, tick_v);
  idlers.clear();
  system.await_all_actors_done();
  session.expect("idle_task", count, handled);
}

void run_async(peer::session& session) {
  settings config{1};
  caf::actor_system system{config};
  const auto with = [&system](auto run, auto... more) {
    return
        [&system, run, more...](uint64_t count, peer::stopwatch& watch) { return run(system, count, more..., watch); };
  };
  if (session.alone("async")) {
    session.time("rendezvous", 20'000, with(rendezvous));
    session.time("call bytes=4", 10'000, with(calling<4>));
    session.time("call bytes=64", 10'000, with(calling<64>));
    session.time("call bytes=256", 10'000, with(calling<256>));
    session.time("event types=predictable", 50 * peer::events::batch, with(event, false));
    session.time("event types=random", 50 * peer::events::batch, with(event, true));
    session.time("spawn", 10'000, with(spawn));
    session.time("timer", 1'000'000, with(timer), 1, " by=processor_time");
    idle_task(system, session);
  }
  if (session.threads("async")) {
    for (const unsigned producers : peer::producer_counts) {
      session.time(peer::cross_thread(producers), 50'000, with(cross_thread, producers));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string version = std::to_string(CAF_VERSION / 10000) + "." + std::to_string(CAF_VERSION / 100 % 100) +
                              "." + std::to_string(CAF_VERSION % 100);
  peer::session session{argc, argv, "caf", version.c_str()};
  run_async(session);
  run_service(session);
  return session.code();
}
