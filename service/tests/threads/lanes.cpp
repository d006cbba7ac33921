// SPDX-License-Identifier: MIT
//
// Events of many threads and workers to each other, of many sizes, with ends at any moment: each
// event that was taken is handled once and in its sender's order or is counted as lost, and each is
// destroyed once.
#include <atomic>
#include <baton/service.hpp>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace baton;
using namespace baton::service;

namespace {

std::atomic<int> faults{0};
void check(bool holds, const char* what) {
  if (holds) return;
  if (++faults < 20) std::printf("missing: %s\n", what);
}

std::atomic<int64_t> alive{0};

/// Counts the events that are alive; its text is on the heap, so that a sanitizer finds one that is
/// lost or destroyed twice.
struct token {
  token(uint32_t s, uint32_t n) : sender(s), number(n), copy(std::make_unique<uint32_t>(n)) { ++alive; }
  token(token&& other) noexcept : sender(other.sender), number(other.number), copy(std::move(other.copy)) { ++alive; }
  ~token() { --alive; }
  uint32_t sender;
  uint32_t number;
  std::unique_ptr<uint32_t> copy;
};
template <size_t Bytes>
struct sized : token {
  using token::token;
  char bytes[Bytes] = {};
};
using small = sized<1>;
using medium = sized<200>;
using large = sized<960>;
using boxed = sized<3000>;

constexpr unsigned senders = 64;

/// Hears all events, in each sender's order.
struct ears {
  explicit ears(context c) : heard{hear<small>(c), hear<medium>(c), hear<large>(c), hear<boxed>(c)} {}
  template <typename Event>
  registration hear(context c) {
    return c.on<Event>([this](const Event& e) {
      check(e.copy && *e.copy == e.number, "the event is whole");
      check(e.number >= next[e.sender], "in its sender's order, and once");
      next[e.sender] = e.number + 1;
      total.fetch_add(1, std::memory_order_relaxed);
    });
  }
  uint32_t next[senders] = {};
  std::atomic<uint64_t> total{0};
  registration heard[4];
};

template <typename Random>
status post_one(application& app, context to, uint32_t sender, uint32_t number, Random& random) {
  switch (random() % 8) {
    case 0:
      return app.post(to, medium(sender, number));
    case 1:
      return app.post(to, large(sender, number));
    case 2:
      return app.post(to, boxed(sender, number));
    default:
      return app.post(to, small(sender, number));
  }
}

/// Posts until the worker has ended, `most` events were taken, or it is enough. Returns the number
/// of events that were taken. A slow sender leaves the worker time to end.
uint64_t post_many(application& app, context to, uint32_t sender, uint64_t most, unsigned seed, bool is_slow,
                   const std::atomic<bool>& is_enough) {
  std::minstd_rand random(seed + 1);
  uint64_t taken = 0;
  for (uint32_t n = 0; taken != most && (is_slow || !is_enough); ++n) {
    const status s = post_one(app, to, sender, n, random);
    if (s == status::closed) return taken;
    if (s == status::ok) ++taken;
    if (s == status::full || random() % 512 == 0) std::this_thread::yield();
    if (random() % (is_slow ? 4 : 8192) == 0) std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return taken;
}

/// Threads of any number post, and the application ends at any moment.
void ends_at_any_moment() {
  std::minstd_rand random(7);
  for (unsigned round = 0; round != 60; ++round) {
    {
      std::atomic<uint64_t> taken{0};
      std::atomic<bool> is_enough{false};
      const bool is_slow = round % 4 < 2;
      options o;
      o.ends_at_signals = false;
      o.events.events = round % 3 == 0 ? 1 + random() % 200 : 4000;  // a bound for the test's memory
      application app(o);
      app.on_diagnostic([](const std::string&) {});
      const context worker = app.add_worker("worker");
      ears all(round % 2 ? worker : app.main());
      const context to = round % 2 ? worker : app.main();
      std::vector<std::thread> threads;
      const unsigned count = 1 + random() % 4;
      for (uint32_t s = 0; s != count; ++s) {
        const uint64_t most = random() % 4 == 0 ? random() % 300 : ~uint64_t{0};  // some threads end first
        threads.emplace_back(
            [&, s, most, round, is_slow] { taken += post_many(app, to, s, most, round * 16 + s, is_slow, is_enough); });
      }
      const unsigned pause = random() % 3000;
      threads.emplace_back([&, pause] {
        std::this_thread::sleep_for(std::chrono::microseconds(pause));
        app.quit();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        is_enough = true;
      });
      check(app.run() == 0, "ended in order");
      for (std::thread& t : threads) t.join();
      check(all.total + app.lost_events() == taken, "each that was taken is heard or counted as lost");
    }
    check(alive == 0, "each event is destroyed once");
  }
}

/// Each of three workers posts what it hears to the next one, from its handlers.
void workers_post_to_each_other() {
  constexpr uint32_t hops = 30000, in_flight = 50;
  struct hop {
    uint32_t left;
  };
  application app({.ends_at_signals = false});
  const context at[3] = {app.main(), app.add_worker("one"), app.add_worker("two")};
  std::atomic<uint32_t> ended{0};
  std::vector<registration> heard;
  for (unsigned i = 0; i != 3; ++i) {
    heard.push_back(at[i].on<hop>([&, i](const hop& h) {
      if (h.left != 0) return check(app.post(at[(i + 1) % 3], hop{h.left - 1}) == status::ok, "there is room");
      if (++ended == in_flight) app.quit();
    }));
  }
  for (uint32_t n = 0; n != in_flight; ++n) check(app.post(at[n % 3], hop{hops / in_flight}) == status::ok, "taken");
  check(app.run() == 0, "ended in order");
  check(app.lost_events() == 0 && ended == in_flight, "none is lost on its way");
}

/// Threads that post once and end at once.
void threads_that_end_first() {
  constexpr uint32_t count = 300;
  {
    application app({.ends_at_signals = false});
    const context to = app.add_worker("worker");
    ears all(to);
    for (uint32_t n = 0; n != 20; ++n) {
      std::thread([&] { check(app.post(to, small(0, n)) == status::ok, "taken before the start"); }).join();
    }
    std::thread poster([&] {
      for (uint32_t n = 20; n != count; ++n) {
        std::thread([&] { check(app.post(to, small(0, n)) == status::ok, "taken"); }).join();
      }
      while (all.total != count) std::this_thread::yield();
      app.quit();
    });
    check(app.run() == 0, "ended in order");
    poster.join();
    check(all.total == count, "each is heard");
  }
  check(alive == 0, "each event is destroyed once");
}

/// One thread posts to many applications, one after the other, and to several workers in turns.
void a_thread_that_outlives_its_receivers() {
  for (unsigned round = 0; round != 30; ++round) {
    application app({.ends_at_signals = false});
    std::vector<context> to{app.main()};
    to.reserve(12);
    for (unsigned i = 0; i != 11; ++i) to.push_back(app.add_worker("worker"));
    std::atomic<uint32_t> heard{0};
    std::vector<registration> ears;
    ears.reserve(to.size());
    for (const context& c : to) {
      ears.push_back(c.on<uint32_t>([&](const uint32_t&) {
        if (++heard == 12 * 20) app.quit();
      }));
    }
    for (uint32_t n = 0; n != 20; ++n) {
      for (const context& c : to) check(app.post(c, n) == status::ok, "taken");
    }
    if (round % 5 == 4) continue;  // destroyed before it runs
    check(app.run() == 0, "ended in order");
    check(heard == 12 * 20 && app.lost_events() == 0, "each is heard");
    for (const context& c : to) check(app.post(c, 0u) == status::closed, "refused afterwards");
  }
}

/// A post in the destructor of a thread's variable arrives as well.
void posts_at_the_end_of_a_thread() {
  static application* at = nullptr;
  struct last_words {
    ~last_words() { check(at->post(at->main(), uint32_t{1}) == status::ok, "taken at the end of a thread"); }
  };
  application app({.ends_at_signals = false});
  at = &app;
  uint32_t heard = 0;
  const registration r = app.main().on<uint32_t>([&](const uint32_t& n) {
    heard += n;
    if (heard == 4) app.quit();
  });
  for (bool posts_before : {false, true}) {
    std::thread([&] {
      static thread_local last_words words;
      static_cast<void>(words);
      if (posts_before) check(app.post(app.main(), uint32_t{2}) == status::ok, "taken");
    }).join();
  }
  check(app.run() == 0, "ended in order");
  check(heard == 4, "each is heard");
}

}  // namespace

int main() {
  ends_at_any_moment();
  workers_post_to_each_other();
  threads_that_end_first();
  a_thread_that_outlives_its_receivers();
  posts_at_the_end_of_a_thread();
  std::printf("verdict: %s\n", faults == 0 ? "good" : "bad");
  return faults == 0 ? 0 : 1;
}
