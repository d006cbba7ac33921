// SPDX-License-Identifier: MIT
#include "service.hpp"

#include <latch>
#include <numeric>
#include <producers.hpp>
#include <service_work.hpp>

#include "loop.hpp"

namespace {

namespace service = peer::service;

/// A context that one thread runs alone, with a workload of so many operations.
struct alone {
  explicit alone(uint64_t operations) : count(operations) {}

  uint64_t count;
  asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
};

/// Pushes all events, and then runs. There is no handler; the context counts.
struct event_drain : alone {
  using alone::alone;
  void run() {
    for (uint64_t number = 0; number != count; ++number) asio::post(context, [] {});
    ran = context.run();
  }
  uint64_t handled() const { return ran; }

  uint64_t ran = 0;
};

/// As event_drain, with a payload of 8 bytes and a handler.
struct event_handler : alone {
  using alone::alone;
  void run() {
    for (uint64_t number = 0; number != count; ++number) asio::post(context, [this, number] { hears.hear(number); });
    context.run();
  }
  uint64_t handled() const { return hears.heard_if(service::sum_of_first(count)); }

  service::listener hears;
};

/// Sixteen events are in flight. The handler of each pushes the next.
struct event_steady : alone {
  using alone::alone;
  void run() {
    for (uint64_t number = 0; number != service::in_flight; ++number) push();
    context.run();
  }
  void push() {
    if (pushed == count) return;
    asio::post(context, [this, number = ++pushed] {
      hears.hear(number);
      push();
    });
  }
  uint64_t handled() const { return hears.heard_in_order(); }

  uint64_t pushed = 0;
  service::orderly_listener hears;
};

/// Awaits a channel of one place, which a function sets that is called in its turn.
struct coroutine : alone {
  using alone::alone;
  void run() {
    asio::co_spawn(context, wait(*this), asio::detached);
    context.run();
  }
  static awaitable<void> wait(coroutine& self) {
    for (uint64_t number = 0; number != self.count; ++number) {
      asio::post(self.context, [&self] { self.set += self.event.try_send(error_code{}); });
      co_await self.event.async_receive(use_awaitable);
      ++self.resumed;
    }
  }
  uint64_t handled() const { return set == resumed ? resumed : 0; }

  channel<> event{context, 1};
  uint64_t set = 0;
  uint64_t resumed = 0;
};

/// Runs threads with a workload each. They construct the workloads before the watch starts; the
/// watch stops at the end of the last one.
template <typename Work>
uint64_t in_threads(uint64_t count, unsigned threads, peer::stopwatch& watch) {
  std::latch ready{threads};
  std::latch go{1};
  std::latch over{threads};
  std::vector<uint64_t> handled(threads);
  std::vector<std::thread> running;
  for (unsigned index = 0; index != threads; ++index) {
    running.emplace_back([&, index] {
      Work work{peer::share_of(count, threads, index)};
      ready.count_down();
      go.wait();
      work.run();
      over.count_down();
      handled[index] = work.handled();
    });
  }
  ready.wait();
  watch.start();
  go.count_down();
  over.wait();
  watch.stop();
  for (std::thread& thread : running) thread.join();
  return std::accumulate(handled.begin(), handled.end(), uint64_t{0});
}

template <typename Work>
uint64_t interval(uint64_t count, unsigned threads, peer::stopwatch& watch) {
  if (threads != 1) return in_threads<Work>(count, threads, watch);
  Work work{count};
  watch.start();
  work.run();
  watch.stop();
  return work.handled();
}

uint64_t cross_loop(uint64_t count, unsigned producers, peer::stopwatch& watch) {
  asio::io_context context{1};
  service::listener hears;
  peer::producers threads{producers, count, [&](uint64_t share) {
                            for (uint64_t number = 0; number != share; ++number) {
                              asio::post(context, [&hears, &context, count, number] {
                                hears.hear(number);
                                if (hears.heard() == count) context.stop();
                              });
                            }
                          }};
  auto work = asio::make_work_guard(context);
  watch.start();
  threads.go();
  context.run();
  watch.stop();
  threads.join();
  return hears.heard_if(service::sum_of_shares(count, producers));
}

void events(peer::session& session, const service::extent& extent) {
  const auto time = [&](const char* of_case, auto run) {
    session.time(of_case + extent.words(), extent.events,
                 [=](auto n, auto& watch) { return run(n, extent.threads, watch); });
  };
  time("coroutine", interval<coroutine>);
  time("event_steady", interval<event_steady>);
  time("event_drain", interval<event_drain>);
  time("event_handler", interval<event_handler>);
}

}  // namespace

void run_service(peer::session& session) {
  if (session.alone("service")) events(session, service::one);
  if (session.threads("service")) {
    events(session, service::eight);
    for (const unsigned producers : peer::producer_counts) {
      session.time(service::cross_loop(producers), service::crossings,
                   [=](auto n, auto& watch) { return cross_loop(n, producers, watch); });
    }
  }
}
