// SPDX-License-Identifier: MIT
#include "stress.hpp"

using namespace stress;

namespace {

/// Six workers share a mutex. They are cancelled, restarted and destroyed at any moment, also while
/// they hold it and between the hand-over and their run.
class mutex_stress {
 public:
  static constexpr uint8_t workers = 6;

  explicit mutex_stress(uint32_t seed) : chance(seed) {
    for (uint8_t i = 0; i < workers; ++i) make(i);
  }

  void strike() {
    uint8_t i = static_cast<uint8_t>(chance.below(workers));
    worker& w = workers_[i].actor();
    switch (any_blow(chance)) {
      case blow::cancel:
        if (w.cancel()) {
          w.cancelled = true;
          ++found.cancelled;
        }
        break;
      case blow::suspend:
        w.suspend();
        break;
      case blow::resume:
        w.resume();
        break;
      case blow::restart:
        if (w.has_been_handed()) ++found.lost;
        w.cancelled = w.waits = false;
        w.restart();
        found.expect(!w.holds(), fault::wrong_loss);
        break;
      case blow::destroy:
        if (w.has_been_handed()) ++found.lost;
        w.~worker();
        make(i);
        break;
    }
    check();
  }

  void settle() {
    for (auto& p : workers_) p.actor().resume();
    scheduler::run();
    for (auto& p : workers_) found.expect(p.actor().is_done(), fault::stuck);
    found.expect(!bus_.is_locked(), fault::not_conserved);
  }

  test::random chance;
  report found;
  bool is_over = false;
  uint8_t phase = 0;

 private:
  struct worker : placed, coroutine<worker, locking<deadline>> {
    explicit worker(mutex_stress& s) : of(s) {}

    point step(point at) {
      BATON_BEGIN();
      while (!of.is_over) {
        waits = true;
        if (of.chance.one_in(2)) {
          BATON_WAIT_FOR(ticks(of.chance.below(12)), of.bus_.lock(lock_));
        } else {
          BATON_WAIT(of.bus_.lock(lock_));
        }
        waits = false;
        of.found.expect(lock_.is_held() == (result() == status::ok), fault::wrong_status);
        if (cancelled) of.found.expect(result() == status::cancelled, fault::wrong_status);
        if (result() == status::timed_out) ++of.found.timed_out;
        cancelled = false;
        BATON_WHILE_LOCKED(lock_) {
          ++of.found.done;
          BATON_DELAY_UNTIL(port::now() + of.chance.below(of.phase ? 10 : 3));
          cancelled = false;
          if (of.chance.one_in(3)) break;
        }
      }
      BATON_END();
    }

    bool holds() const { return lock_.is_held(); }
    bool has_been_handed() const { return waits && holds(); }

    mutex_stress& of;
    bool waits = false;
    bool cancelled = false;
  };

  /// At most one holds the mutex, and nobody waits for a free one.
  void check() {
    uint8_t holders = 0;
    for (auto& p : workers_) holders = static_cast<uint8_t>(holders + p.actor().holds());
    found.expect(holders == (bus_.is_locked() ? 1 : 0), fault::not_conserved);
    for (auto& p : workers_) {
      if (p.actor().is_listed()) found.expect(holders == 1, fault::stuck);
    }
  }

  void make(uint8_t i) {
    workers_[i].make(*this);
    workers_[i].actor().start();
  }

  mutex bus_;
  place<worker> workers_[workers];
};

}  // namespace

TEST_CASE("a stress test at a mutex: one holder at a time, and nobody waits for a free one") {
  constexpr uint32_t seed = 22;
  mutex_stress s(seed);
  rage(s);
  CHECK_EQ(s.found.first, fault::none);
  CHECK_WITH(s.found.faults == 0, seed);
  CHECK(s.found.done > rounds / 8);
  CHECK(s.found.cancelled > rounds / 5);
  CHECK(s.found.timed_out > rounds / 64);
  CHECK(s.found.lost > rounds / 1024);
}
