// SPDX-License-Identifier: MIT
#include "stress.hpp"

using namespace stress;

namespace {

/// Eight workers share three units.
class semaphore_stress {
 public:
  static constexpr uint8_t workers = 8;
  static constexpr uint8_t units = 3;

  explicit semaphore_stress(uint32_t seed) : chance(seed), slots_(units) {
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
        take_from(w, [&w] { w.restart(); });
        break;
      case blow::destroy:
        take_from(w, [this, i] {
          workers_[i].actor().~worker();
          make(i);
        });
        break;
    }
    check();
  }

  void settle() {
    for (auto& p : workers_) p.actor().resume();
    scheduler::run();
    for (auto& p : workers_) found.expect(p.actor().is_done(), fault::stuck);
    found.expect(slots_.units() == units, fault::not_conserved);
  }

  test::random chance;
  report found;
  bool is_over = false;
  uint8_t phase = 0;

 private:
  struct worker : placed, coroutine<worker, deadline> {
    explicit worker(semaphore_stress& s) : of(s) {}

    point step(point at) {
      BATON_BEGIN();
      while (!of.is_over) {
        waits = true;
        if (of.chance.one_in(2)) {
          BATON_WAIT_FOR(ticks(of.chance.below(12)), of.slots_.acquire());
        } else {
          BATON_WAIT(of.slots_.acquire());
        }
        waits = false;
        if (cancelled) of.found.expect(result() == status::cancelled, fault::wrong_status);
        if (result() == status::timed_out) ++of.found.timed_out;
        cancelled = false;
        if (result() != status::ok) continue;
        has = true;
        ++of.found.done;
        BATON_DELAY_UNTIL(port::now() + of.chance.below(of.phase ? 10 : 3));
        cancelled = false;
        has = false;
        of.slots_.release();
      }
      BATON_END();
    }

    /// True if a unit was handed to the worker, and it has not run since.
    bool was_handed() const { return waits && on == waiter::delivered && (at & suspended); }

    semaphore_stress& of;
    bool waits = false;
    bool has = false;
    bool cancelled = false;
  };

  /// Restarts or destroys a worker. The unit that the worker has is given back for it; a unit that
  /// was handed to it is dropped.
  template <typename Action>
  void take_from(worker& w, Action act) {
    bool gives_back = w.has || w.was_handed();
    uint16_t lost = static_cast<uint16_t>(dropped_values() + (w.was_handed() && dropped_values() != UINT16_MAX));
    if (w.was_handed()) ++found.lost;
    w.waits = w.has = w.cancelled = false;
    act();
    found.expect(dropped_values() == lost, fault::wrong_loss);
    if (gives_back) slots_.release();
  }

  void check() {
    uint16_t sum = slots_.units();
    for (auto& p : workers_) sum = static_cast<uint16_t>(sum + (p.actor().has || p.actor().was_handed()));
    found.expect(sum == units, fault::not_conserved);
  }

  void make(uint8_t i) {
    workers_[i].make(*this);
    workers_[i].actor().start();
  }

  semaphore slots_;
  place<worker> workers_[workers];
};

}  // namespace

TEST_CASE("a stress test at a semaphore conserves its units") {
  constexpr uint32_t seed = 21;
  semaphore_stress s(seed);
  rage(s);
  CHECK_EQ(s.found.first, fault::none);
  CHECK_WITH(s.found.faults == 0, seed);
  CHECK(s.found.done > rounds / 4);
  CHECK(s.found.cancelled > rounds / 5 * 2);
  CHECK(s.found.timed_out > rounds / 64);
  CHECK(s.found.lost > rounds / 1024);
}
