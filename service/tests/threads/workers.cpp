// SPDX-License-Identifier: MIT
//
// Several workers, each on a thread of its own. Posted and broadcast events arrive once and in
// order; a quit from any thread ends all workers in order; no thread touches another's services.
#include <atomic>
#include <baton/service.hpp>
#include <cstdio>
#include <thread>
#include <vector>

using namespace baton;
using namespace baton::service;

namespace {

std::atomic<int> faults{0};
void check(bool holds, const char* what) {
  if (holds) return;
  ++faults;
  std::printf("missing: %s\n", what);
}

struct number {
  uint32_t from;
  uint32_t value;
};
struct news {
  int value;
};

constexpr uint32_t senders = 4;
constexpr uint32_t each = 20000;

/// Counts events on its own thread.
struct counter {
  counter(context c, std::atomic<uint32_t>& all) = delete;
  counter(context c, std::atomic<uint32_t>* all)
      : total(all), heard(c.on<number>([this](const number& n) {
          check(n.value == next[n.from], "first in, first out for each sender");
          next[n.from] = n.value + 1;
          check(std::this_thread::get_id() == own, "handled on the worker's thread");
          total->fetch_add(1, std::memory_order_relaxed);
        })) {}
  ~counter() { check(std::this_thread::get_id() == own, "destroyed on the worker's thread"); }
  std::thread::id own = std::this_thread::get_id();
  uint32_t next[senders] = {};
  std::atomic<uint32_t>* total;
  registration heard;
};

void many_post_to_one() {
  std::atomic<uint32_t> total{0};
  application app({.ends_at_signals = false});
  const context worker = app.add_worker("worker");
  worker.add<counter>(&total);
  std::vector<std::thread> threads;
  for (uint32_t s = 0; s != senders; ++s) {
    threads.emplace_back([&, s] {
      for (uint32_t i = 0; i != each; ++i) {
        check(app.post(worker, number{s, i}) == status::ok, "there is room");
      }
    });
  }
  std::thread last([&] {
    for (std::thread& t : threads) t.join();
    while (total.load(std::memory_order_relaxed) != senders * each) std::this_thread::yield();
    app.quit(7);
  });
  const int code = app.run();
  last.join();
  check(code == 7, "the code of the quit from another thread");
  check(total == senders * each, "each event once");
  check(app.lost_events() == 0, "none is lost");
  check(app.post(worker, number{0, 0}) == status::closed, "a worker that has ended refuses");
}

/// Each event that was taken is handled, or counted as lost because it arrived at a full queue.
void many_post_to_a_bounded_one() {
  std::atomic<uint32_t> total{0}, taken{0}, refused{0};
  application app({.events = {.events = 64}, .ends_at_signals = false});
  const context worker = app.add_worker("worker");
  const registration heard = worker.on<number>([&](const number&) { total.fetch_add(1, std::memory_order_relaxed); });
  std::vector<std::thread> threads;
  for (uint32_t s = 0; s != senders; ++s) {
    threads.emplace_back([&, s] {
      for (uint32_t i = 0; i != each; ++i) {
        (app.post(worker, number{s, i}) == status::ok ? taken : refused).fetch_add(1, std::memory_order_relaxed);
      }
    });
  }
  std::thread last([&] {
    for (std::thread& t : threads) t.join();
    app.quit();
  });
  check(app.run() == 0, "ended in order");
  last.join();
  check(taken + refused == senders * each, "each is taken or refused");
  check(taken >= 64, "those that there is room for are taken");
  check(total + app.lost_events() == taken, "each that was taken is heard or counted as lost");
}

/// Each function is called on the thread of its worker, and the answer brings its contents back.
void functions_go_there_and_back() {
  application app({.ends_at_signals = false});
  const context here = app.main(), there = app.add_worker("there");
  std::thread::id main_thread = std::this_thread::get_id();
  uint32_t back = 0;
  for (uint32_t i = 0; i != 100; ++i) {
    auto asked = std::make_unique<uint32_t>(i);
    const status posted = app.post(there, [&, asked = std::move(asked)]() mutable {
      check(std::this_thread::get_id() != main_thread, "called on the other worker's thread");
      const status answered = app.post(here, [&, answer = std::move(asked)] {
        check(std::this_thread::get_id() == main_thread, "called on its own thread");
        check(*answer == back, "in order");
        if (++back == 100) app.quit();
      });
      check(answered == status::ok, "the answer is taken");
    });
    check(posted == status::ok, "the function is taken");
  }
  check(app.run() == 0, "ended in order");
  check(back == 100, "each has come back");
}

void all_hear_a_broadcast() {
  application app({.ends_at_signals = false});
  std::atomic<int> heard{0};
  struct listener {
    listener(context c, std::atomic<int>* n)
        : r(c.on<news>([c, n](const news& e) {
            if (n->fetch_add(e.value) + e.value == 4 * 5) c.quit();
          })) {}
    registration r;
  };
  app.add<listener>(&heard);
  for (const char* name : {"one", "two", "three"})
    app.add_worker(name, thread_options{.processor = 0}).add<listener>(&heard);
  check(app.broadcast(news{5}) == 4, "each worker takes it");
  check(app.run() == 0, "ended in order");
  check(heard == 20, "heard in each worker");
  check(app.refusals() == 0, "pinned to the processor that was asked for");
}

/// Each worker is seen on its own thread, and the snapshot comes back as a value.
void each_gives_its_snapshot() {
  struct resident {};
  application app({.ends_at_signals = false});
  const context main = app.main();
  size_t missing = 0;
  std::vector<worker_snapshot> seen(3);
  for (const char* name : {"one", "two"}) app.add_worker(name).add<resident>().named(name);
  // The rest is on main's thread: `missing` and `seen` are touched by no other.
  const status begun = main.run([&] {
    app.visit_workers([&](worker_handle w) {
      const size_t place = missing++;
      const status asked = w.post([&, place, w] {
        const status told = main.worker().post([&, place, s = w.snapshot()]() mutable {
          seen[place] = std::move(s);
          if (--missing == 0) app.quit();
        });
        check(told == status::ok, "the asker is there");
      });
      check(asked == status::ok, "there is room");
    });
  });
  check(begun == status::ok && app.run() == 0, "ended in order");
  check(seen[0].name == "main" && seen[1].name == "one" && seen[2].name == "two", "of each worker");
  check(seen[0].services.empty() && seen[1].find("one") && seen[2].find("two"), "with its own services");
}

void a_mistake_in_one_ends_all() {
  application app({.ends_at_signals = false});
  std::string told;
  app.on_diagnostic([&](const std::string& text) { told = text; });
  struct lonely {
    explicit lonely(required<news>) {}
  };
  app.add_worker("one");
  app.add_worker("two").add<lonely>();
  check(app.run() == static_cast<int>(exit_code::missing_provider), "the exit code of the mistake");
  check(told.find("lonely' requires '") != std::string::npos, "the mistake is told");
}

void one_after_the_other() {
  for (int i = 0; i != 50; ++i) {
    application app({.ends_at_signals = i % 2 == 0});
    app.add_worker("one");
    struct ender {
      explicit ender(context c) { c.quit(); }
    };
    app.add_worker("two").add<ender>();
    check(app.run() == 0, "ended");
  }
}

/// A refusal of the system is reported, and the program goes on.
void what_is_refused_is_told() {
  application app({.ends_at_signals = false});
  std::vector<std::string> told;
  app.on_diagnostic([&](const std::string& text) { told.push_back(text); });
  struct ender {
    explicit ender(context c) { c.quit(); }
  };
  app.add<ender>();
  app.add_worker("nowhere", {.processor = 1000});
  app.add_worker("out of range", {.scheduling = scheduling::fifo(1000)});
  app.add_worker("impossible",
                 {.scheduling = scheduling::deadline(milliseconds(20), milliseconds(10), milliseconds(10))});
  check(app.run() == 0, "the program goes on");
  check(app.refusals() == 3 && told.size() == 3, "three refusals");
  std::string all;
  for (const std::string& t : told) all += t;
  for (const char* part :
       {"the worker 'nowhere' runs without an option: processor 1000 is refused: ",
        "the worker 'out of range' runs without an option: SCHED_FIFO with priority 1000 is refused: ",
        "the worker 'impossible' runs without an option: SCHED_DEADLINE is refused: "}) {
    check(all.find(part) != std::string::npos, part);
  }
}

}  // namespace

int main() {
  what_is_refused_is_told();
  many_post_to_one();
  many_post_to_a_bounded_one();
  functions_go_there_and_back();
  all_hear_a_broadcast();
  each_gives_its_snapshot();
  a_mistake_in_one_ends_all();
  one_after_the_other();
  std::printf("verdict: %s\n", faults == 0 ? "good" : "bad");
  return faults == 0 ? 0 : 1;
}
