// SPDX-License-Identifier: MIT
#include "service.hpp"

#include <deque>
#include <numeric>
#include <service_work.hpp>

#include "actors.hpp"
#include "lifecycle.hpp"

namespace {

namespace service = peer::service;

/// The work of an actor: so many events or awaits.
struct workload {
  workload(caf::actor_system&, uint64_t operations) : count(operations) {}

  uint64_t count;
  done over;
};

/// Sends itself all messages, and then handles them. The messages have no content.
struct event_drain : workload {
  using workload::workload;
  using message = caf::atom_constant<caf::atom("nothing")>;
  static caf::behavior behavior(caf::event_based_actor* self, event_drain* work) {
    return {[=](message) {
              if (++work->heard == work->count) work->over.set_value();
            },
            [=](tick) {
              for (uint64_t number = 0; number != work->count; ++number) self->send(self, message::value);
            }};
  }
  uint64_t handled() const { return heard; }

  uint64_t heard = 0;
};

/// As event_drain, with a number.
struct event_handler : workload {
  using workload::workload;
  static caf::behavior behavior(caf::event_based_actor* self, event_handler* work) {
    return {[=](uint64_t number) {
              work->hears.hear(number);
              if (work->hears.heard() == work->count) work->over.set_value();
            },
            [=](tick) {
              for (uint64_t number = 0; number != work->count; ++number) self->send(self, number);
            }};
  }
  uint64_t handled() const { return hears.heard_if(service::sum_of_first(count)); }

  service::listener hears;
};

/// Sixteen messages are in flight. The handler of each sends the next.
struct event_steady : workload {
  using workload::workload;
  static caf::behavior behavior(caf::event_based_actor* self, event_steady* work) {
    const auto push = [=] {
      if (work->pushed != work->count) self->send(self, ++work->pushed);
    };
    return {[=](uint64_t number) {
              work->hears.hear(number);
              push();
              if (work->hears.heard() == work->count) work->over.set_value();
            },
            [=](tick) {
              for (uint64_t number = 0; number != service::in_flight; ++number) push();
            }};
  }
  uint64_t handled() const { return hears.heard_in_order(); }

  uint64_t pushed = 0;
  service::orderly_listener hears;
};

/// Requests a signal of itself, sets it in its turn among the messages, and goes on at the
/// response.
struct coroutine : workload {
  using workload::workload;
  using set_signal = caf::atom_constant<caf::atom("set")>;
  static caf::behavior behavior(caf::event_based_actor* self, coroutine* work) {
    return {[=](set_signal) { ++work->set; }, [=](tick) { wait(self, caf::actor_cast<caf::actor>(self), work); }};
  }
  static void wait(caf::event_based_actor* self, const caf::actor& own, coroutine* work) {
    self->request(own, caf::infinite, set_signal::value).then([=] {
      if (++work->resumed != work->count) {
        wait(self, own, work);
      } else {
        work->over.set_value();
      }
    });
  }
  uint64_t handled() const { return set == resumed ? resumed : 0; }

  uint64_t set = 0;
  uint64_t resumed = 0;
};

/// Actors with a workload each, which begin at a message from `main`. The interval ends when all
/// have finished.
template <typename Work>
uint64_t interval(caf::actor_system& system, uint64_t count, unsigned actors, peer::stopwatch& watch) {
  std::deque<Work> works;
  std::vector<caf::actor> working;
  for (unsigned index = 0; index != actors; ++index) {
    Work& work = works.emplace_back(system, peer::share_of(count, actors, index));
    working.push_back(system.spawn(Work::behavior, &work));
  }
  watch.start();
  for (const caf::actor& each : working) caf::anon_send(each, tick_v);
  for (Work& work : works) work.over.get_future().wait();
  watch.stop();
  for (const caf::actor& each : working) caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
  system.await_all_actors_done();
  const auto add = [](uint64_t sum, const Work& work) { return sum + work.handled(); };
  return std::accumulate(works.begin(), works.end(), uint64_t{0}, add);
}

uint64_t cross_loop(caf::actor_system& system, uint64_t count, unsigned producers, peer::stopwatch& watch) {
  service::listener hears;
  done over;
  const caf::actor actor = system.spawn([&](caf::event_based_actor*) -> caf::behavior {
    return {[&](uint64_t number) {
      hears.hear(number);
      if (hears.heard() == count) over.set_value();
    }};
  });
  peer::producers threads{producers, count, [&](uint64_t share) {
                            for (uint64_t number = 0; number != share; ++number) caf::anon_send(actor, number);
                          }};
  watch.start();
  threads.go();
  over.get_future().wait();
  watch.stop();
  threads.join();
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  system.await_all_actors_done();
  return hears.heard_if(service::sum_of_shares(count, producers));
}

constexpr unsigned repeats = 5;
constexpr uint64_t cycles_of_each = 1u << 13;

void apart(peer::session& session, const service::extent& extent) {
  settings config{extent.threads};
  caf::actor_system system{config};
  const auto time = [&](const char* of_case, uint64_t count, auto run) {
    session.time(
        of_case + extent.words(), count,
        [&system, &extent, run](auto n, auto& watch) { return run(system, n, extent.threads, watch); }, repeats);
  };
  time("coroutine", extent.events, interval<coroutine>);
  time("event_steady", extent.events, interval<event_steady>);
  time("event_drain", extent.events, interval<event_drain>);
  time("event_handler", extent.events, interval<event_handler>);
  time("start_stop", extent.threads * cycles_of_each, interval<start_stop>);
}

void crossing(peer::session& session) {
  settings config{1};
  caf::actor_system system{config};
  for (const unsigned producers : peer::producer_counts) {
    session.time(
        service::cross_loop(producers), service::crossings,
        [&system, producers](auto n, auto& watch) { return cross_loop(system, n, producers, watch); }, repeats);
  }
}

}  // namespace

void run_service(peer::session& session) {
  if (session.alone("service")) apart(session, service::one);
  if (session.threads("service")) {
    apart(session, service::eight);
    crossing(session);
  }
}
