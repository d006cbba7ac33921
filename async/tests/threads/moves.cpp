// SPDX-License-Identifier: MIT
#include "rig.hpp"

#include <baton/async/loop_thread.hpp>
#include <memory>
#include <random>
#include <stdexcept>

/// Coroutines go to other loops and back, are stopped there, and end there; loops end meanwhile.
using namespace baton;
using async::task;

namespace {

#ifdef __SANITIZE_THREAD__
constexpr int stress_rounds = 5;
#else
constexpr int stress_rounds = 40;
#endif

/// Counts the objects that exist. Each is destroyed once, on any thread.
struct counted {
  explicit counted(std::atomic<int>& n) : to(&n) { to->fetch_add(1); }
  counted(const counted&) = delete;
  ~counted() { to->fetch_sub(1); }
  std::atomic<int>* to;
};

/// Not the library's function: clang assumes that its result is the same throughout a coroutine.
long here() {
  return syscall(SYS_gettid);
}

/// The sum of the threads' frame counts; a thread's own count may be negative.
std::atomic<int64_t> frames_of_all{0};
struct count_frames {
  ~count_frames() { frames_of_all += static_cast<int64_t>(async::frames().frames); }
};

task<int> doubled(int n, long not_here) {
  CHECK(here() != not_here);
  co_await async::sleep_for(microseconds(100));
  co_return 2 * n;
}

task<> throws_there() {
  co_await async::yield();
  throw std::runtime_error("there");
}

task<int> fails_there() {
  co_await async::yield();
  throw std::runtime_error("there");
}

void there_and_back() {
  async::loop_thread a, b;
  async::loop origin;
  bool is_done = false;
  origin.spawn([](async::loop_thread& first, async::loop_thread& second, bool& done) -> task<> {
    const auto mine = here();
    CHECK(co_await async::resume_on_origin() == status::ok);
    CHECK(here() == mine);
    CHECK(co_await async::resume_on(first) == status::ok);
    const auto at_first = here();
    CHECK(at_first != mine);
    CHECK(co_await async::sleep_for(milliseconds(1)) == status::ok);
    CHECK(here() == at_first);
    CHECK(co_await async::resume_on(first) == status::ok);  // it is there already
    CHECK(co_await async::resume_on(second) == status::ok);
    CHECK(here() != mine && here() != at_first);
    CHECK(co_await async::resume_on_origin() == status::ok);
    CHECK(here() == mine);

    const async::result<int> four = co_await async::run_on(first.handle(), doubled(2, mine));
    CHECK(four && *four == 4);
    CHECK(here() == mine);
    bool was_thrown = false;
    try {
      static_cast<void>(co_await async::run_on(second.handle(), fails_there()));
    } catch (const std::runtime_error&) {
      was_thrown = true;
    }
    CHECK(was_thrown && here() == mine);
    done = true;
  }(a, b, is_done));
  origin.run();
  CHECK(is_done);
  for (async::loop_thread* t : {&a, &b}) {
    t->stop();
    t->join();
  }
}

task<> gives_nothing(bool& has_run) {
  co_await async::yield();
  has_run = true;
}
task<status> gives(status s) {
  co_await async::yield();
  co_return s;
}
task<std::unique_ptr<int>> gives_a_pointer() {
  co_await async::yield();
  co_return std::make_unique<int>(7);
}
task<int&> gives_a_reference(int& n) {
  co_await async::yield();
  co_return n;
}

/// Each kind of a task's result comes from another loop; a status is a value, whichever it is.
void results_from_elsewhere() {
  async::loop_thread worker;
  async::loop origin;
  bool is_done = false;
  origin.spawn([](async::loop_handle there, bool& done) -> task<> {
    bool has_run = false;
    const async::result<void> nothing = co_await async::run_on(there, gives_nothing(has_run));
    CHECK(nothing && has_run);
    const async::result<status> good = co_await async::run_on(there, gives(status::ok));
    CHECK(good && *good == status::ok);
    const async::result<status> bad = co_await async::run_on(there, gives(status::full));
    CHECK(bad && *bad == status::full);
    const async::result<std::unique_ptr<int>> moved = co_await async::run_on(there, gives_a_pointer());
    CHECK(moved && **moved == 7);
    int n = 1;
    const async::result<int&> same = co_await async::run_on(there, gives_a_reference(n));
    CHECK(same && &*same == &n);
    done = true;
  }(worker.handle(), is_done));
  origin.run();
  CHECK(is_done);
  worker.stop();
  worker.join();
}

/// Coroutines that were spawned on another loop are joined from here, and the origin is told of one
/// that ends or throws elsewhere.
void joined_from_elsewhere() {
  async::loop_thread worker;
  async::loop origin;
  std::atomic<int> ended{0};
  origin.spawn([](async::loop_thread& w, std::atomic<int>& n) -> task<> {
    async::scope there;
    CHECK(co_await async::resume_on(w) == status::ok);
    for (int i = 0; i != 10; ++i) {
      there.spawn([](std::atomic<int>& to, int ms) -> task<> {
        co_await async::sleep_for(milliseconds(static_cast<uint32_t>(ms)));
        ++to;
      }(n, i % 3));
    }
    CHECK(co_await async::resume_on_origin() == status::ok);
    CHECK(co_await async::join_on(w.handle(), there) == status::ok);
    CHECK(n == 10);

    async::scope here_too;
    here_too.spawn([](async::loop_thread& to) -> task<> { static_cast<void>(co_await async::resume_on(to)); }(w));
    co_await here_too.join();
    async::scope throwing;
    throwing.spawn([](async::loop_thread& to) -> task<> {
      static_cast<void>(co_await async::resume_on(to));
      co_await throws_there();
    }(w));
    throwing.spawn([](async::loop_thread& to, std::atomic<int>& n) -> task<> {
      static_cast<void>(co_await async::resume_on(to));
      CHECK(co_await async::sleep_for(seconds(100)) == status::cancelled);  // because the other one throws
      ++n;
    }(w, n));
    bool was_thrown = false;
    try {
      co_await throwing.join();
    } catch (const std::runtime_error&) {
      was_thrown = true;
    }
    CHECK(was_thrown && n == 11);
  }(worker, ended));
  origin.run();
  CHECK(ended == 11);
  worker.stop();
  worker.join();
  CHECK(!worker.has_failed());
}

/// A stop at the origin, and a stop at the destination.
void stopped_while_away() {
  async::loop_thread worker;
  async::loop origin;
  int ended = 0;
  const auto away = [](async::loop_thread& w, int& n) -> task<> {
    CHECK(co_await async::resume_on(w) == status::ok);
    CHECK(co_await async::sleep_for(seconds(100)) == status::cancelled);
    CHECK(co_await async::resume_on(w) == status::ok);  // it is there already
    CHECK(co_await async::resume_on_origin() == status::ok);
    ++n;
    CHECK(co_await async::resume_on(w) == status::cancelled);
  };
  origin.spawn(away(worker, ended));
  origin.spawn([](async::loop& l) -> task<> {
    co_await async::sleep_for(milliseconds(5));
    l.stop();
  }(origin));
  origin.run();
  CHECK(ended == 1);

  async::scope again;
  again.spawn([](async::loop_thread& w, int& n) -> task<> {
    CHECK(co_await async::resume_on(w) == status::ok);
    w.stop();
    CHECK(co_await async::sleep_for(seconds(100)) == status::cancelled);
    CHECK(co_await async::resume_on_origin() == status::ok);
    ++n;
  }(worker, ended));
  while (again.running() != 0) {
    scheduler::run_for(8);
    origin.mailbox().deliver();
    std::this_thread::yield();
  }
  CHECK(ended == 2);
  worker.join();
  CHECK(async::spawn_on(worker.handle(), throws_there()) == status::closed);
}

/// An origin is destroyed while its coroutines are away, and a destination while coroutines of
/// others are there. The destructors of each frame run once.
void loops_that_end() {
  for (int round = 0; round != stress_rounds; ++round) {
    std::atomic<int> alive{0};
    async::loop_thread destination;
    std::thread([&] {
      const count_frames count;
      async::loop origin;
      for (int i = 0; i != 20; ++i) {
        origin.spawn([](async::loop_thread& w, std::atomic<int>& n, int number) -> task<> {
          const counted here(n);
          for (int hops = 0; hops != number; ++hops) {
            static_cast<void>(co_await async::resume_on(w));
            if (hops % 2) co_await async::sleep_for(microseconds(10));
            co_await async::resume_on_origin();
          }
          static_cast<void>(co_await async::resume_on(w));
          co_await async::sleep_for(seconds(1000));
          co_await async::resume_on_origin();
          CHECK(false);
        }(destination, alive, i));
      }
      origin.spawn([](async::loop& l, int ms) -> task<> {
        co_await async::sleep_for(microseconds(static_cast<uint32_t>(50 * ms)));
        l.quit();
      }(origin, round % 7));
      origin.run();
    }).join();
    destination.stop();
    destination.join();
    CHECK(alive == 0);
  }
  for (int round = 0; round != stress_rounds; ++round) {
    std::atomic<int> alive{0};
    std::atomic<int> refused{0};
    const async::loop_handle there = async::loop_handle::make();
    std::thread destination([&] {
      const count_frames count;
      async::loop l(there);
      l.spawn([](async::loop& own, int ms) -> task<> {
        co_await async::sleep_for(microseconds(static_cast<uint32_t>(50 * ms)));
        own.quit();
      }(l, round % 7));
      l.run();
    });
    {
      async::loop origin;
      for (int i = 0; i != 20; ++i) {
        origin.spawn([](async::loop_handle w, std::atomic<int>& n, std::atomic<int>& r) -> task<> {
          const counted here(n);
          for (;;) {
            const status s = co_await async::resume_on(w);
            if (s != status::ok) {
              CHECK(s == status::closed);
              ++r;
              co_return;
            }
            co_await async::resume_on_origin();
          }
        }(there, alive, refused));
      }
      origin.run();
    }
    destination.join();
    CHECK(alive == 0);
    CHECK(refused <= 20);
  }
}

task<> wander(std::vector<std::unique_ptr<async::loop_thread>>& all, std::atomic<int>& alive, uint32_t seed, int hops) {
  const counted here(alive);
  std::minstd_rand random(seed);
  for (int i = 0; i != hops; ++i) {
    const uint32_t way = static_cast<uint32_t>(random() % 8);
    if (way < all.size()) {
      static_cast<void>(co_await async::resume_on(*all[way]));
    } else if (way == 4) {
      co_await async::resume_on_origin();
    } else if (way == 5) {
      if (co_await async::sleep_for(microseconds(random() % 50)) == status::cancelled && random() % 4 == 0) co_return;
    } else {
      co_await async::yield();
    }
  }
}

/// Coroutines of several loops, whose origins are stopped at random moments.
void stress() {
  std::atomic<int> alive{0};
  std::vector<std::unique_ptr<async::loop_thread>> all;
  for (int i = 0; i != 3; ++i) all.push_back(std::make_unique<async::loop_thread>());
  for (int round = 0; round != stress_rounds; ++round) {
    for (uint32_t i = 0; i != 3; ++i) {
      const uint32_t seed = static_cast<uint32_t>(round) * 1000 + i + 1;
      all[i]->spawn([](auto& loops, std::atomic<int>& n, uint32_t s) -> task<> {
        async::scope mine;
        for (uint32_t k = 0; k != 30; ++k) mine.spawn(wander(loops, n, s + 3 * k, 100));
        co_await async::sleep_for(microseconds(s * 37 % 1000));
        if (s % 3) mine.stop();
        co_await mine.join();
      }(all, alive, seed));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 3));
  }
  while (alive != 0) std::this_thread::yield();
  for (auto& t : all) t->stop();
  for (auto& t : all) t->join();
  CHECK(alive == 0);
}

/// Frames are made on one thread and freed on another, all the time: they return, and the memory of
/// the threads does not grow. At most 64 are on their way at once, of less than a KiB each; 15,000
/// that do not return take more than a MiB.
void one_way() {
  async::loop_thread worker;
  async::loop origin;
  origin.spawn([](async::loop_thread& w) -> task<> {
    size_t held = 0;
    for (int i = 0; i != 20000; ++i) {
      CHECK(w.spawn([]() -> task<> { co_return; }()) == status::ok);
      if (i % 64 == 63) {
        static_cast<void>(co_await async::resume_on(w));  // arrives behind them all
        co_await async::resume_on_origin();
      }
      if (i == 5000) held = async::frames().held;
    }
    CHECK(async::frames().held <= held + size_t{64} * 1024);
  }(worker));
  origin.run();
  worker.stop();
  worker.join();
}

void pinned() {
  async::loop_thread t(async::processor{0});
  int where = -1;
  async::loop origin;
  origin.spawn([](async::loop_thread& w, int& cpu) -> task<> {
    static_cast<void>(co_await async::resume_on(w));
    cpu = sched_getcpu();
    co_await async::resume_on_origin();
  }(t, where));
  origin.run();
  t.stop();
  t.join();
  CHECK(t.was_pinned() && where == 0);
  async::loop_thread nowhere(async::processor{CPU_SETSIZE});
  nowhere.stop();
  nowhere.join();
  CHECK(!nowhere.was_pinned());
}

}  // namespace

int main() {
  there_and_back();
  results_from_elsewhere();
  joined_from_elsewhere();
  stopped_while_away();
  loops_that_end();
  stress();
  one_way();
  pinned();
  return rig::verdict();
}
