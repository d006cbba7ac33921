// SPDX-License-Identifier: MIT
#include "actors.hpp"

// Scopes in scopes are joined with and without a deadline, stopped and destroyed at random. A join
// ends after the last child, each child ends once, and a stop takes no time.

using namespace stress;

namespace {

class join_stress {
 public:
  static constexpr uint8_t parents = 8, nobody = 0xff;

  explicit join_stress(uint32_t seed) : chance(seed) {}

  void begin() {
    for (uint8_t i = 0; i < parents; ++i) start(i);
  }

  void strike(uint8_t by) {
    const uint8_t i = static_cast<uint8_t>(chance.below(parents));
    if (i == by) return;
    family& f = families_[i];
    if (f.has_ended) {
      if (f.own_scope->running() == 0 && !is_over) start(i);
      return;
    }
    switch (chance.below(4)) {
      case 0:
        return stop(f);
      case 1:
        found.lost += f.alive;
        destroy(f);
        return start(i);
      default:
        bell_.set();
    }
  }

  void settle() {
    for (family& f : families_) stop(f);
  }

  void end() {
    for (family& f : families_) {
      found.expect(f.own_scope->running() == 0, fault::stuck);
      destroy(f);
    }
    found.expect(begun_ == found.done + found.lost, fault::not_conserved);
  }

  test::random chance;
  report found;
  bool is_over = false;
  uint8_t phase = 0;
  uint32_t late_joins = 0;

 private:
  struct family {
    std::optional<async::scope> own_scope;
    uint32_t alive = 0;  // children, grandchildren and so on that have begun and have not ended
    tick stopped_at = 0;
    bool has_ended = false;
  };

  struct life {
    explicit life(family& f, join_stress& s) : of(&f), stress(&s) {
      ++of->alive;
      ++stress->begun_;
    }
    life(const life&) = delete;
    ~life() { --of->alive; }
    family* of;
    join_stress* stress;
  };

  void stop(family& f) {
    if (f.own_scope->is_stopping()) return;
    f.stopped_at = port::now();
    f.own_scope->stop();
  }

  void destroy(family& f) {
    f.own_scope->destroy_all();
    found.expect(f.alive == 0, fault::stuck);
    found.expect(f.own_scope->running() == 0, fault::stuck);
    f.alive = 0;
  }

  void note(status s) {
    if (s == status::cancelled) ++found.cancelled;
    if (s == status::timed_out) ++found.timed_out;
  }

  task<> child(family& f, uint8_t depth) {
    life l(f, *this);
    switch (chance.below(depth < 2 ? 6 : 4)) {
      case 0:
        note(co_await async::sleep_for(ticks(chance.below(40))));
        break;
      case 1:
        note(co_await async::within(ticks(chance.below(20)), bell_.wait()));
        break;
      case 2:
        note(co_await bell_.wait());
        break;
      case 3:
        co_await async::yield();
        break;
      case 4: {
        const async::result<void> r =
            co_await async::within(ticks(chance.below(20)), brood(f, static_cast<uint8_t>(depth + 1)));
        note(r.status());
        break;
      }
      default:
        co_await brood(f, static_cast<uint8_t>(depth + 1));
    }
    ++found.done;
  }

  /// Runs children in a scope of their own, and joins them in one of the forms.
  task<> brood(family& f, uint8_t depth) {
    const uint32_t alive = f.alive;
    async::scope children;
    for (uint16_t n = chance.below(4); n != 0; --n) children.spawn(child(f, depth));
    if (chance.one_in(2)) {
      const status s = co_await async::within(ticks(chance.below(12)), children.join());
      note(s);
      found.expect(s != status::ok || children.running() == 0, fault::wrong_status);
      if (s == status::timed_out) {
        ++late_joins;
        if (chance.one_in(2)) children.stop();
        co_await children.join();
      }
    } else {
      co_await children.join();
    }
    found.expect(children.running() == 0, fault::stuck);
    if (depth == 0) found.expect(f.alive == alive, fault::stuck);
  }

  task<> parent(uint8_t id) {
    family& f = families_[id];
    while (!is_over && !f.own_scope->is_stopping()) {
      co_await brood(f, 0);
      if (chance.one_in(4)) strike(id);
      if (chance.one_in(4)) co_await async::yield();
    }
    if (f.own_scope->is_stopping()) found.expect(port::now() == f.stopped_at, fault::stuck);
    f.has_ended = true;
  }

  void start(uint8_t id) {
    family& f = families_[id];
    f.own_scope.emplace();
    f.has_ended = false;
    f.own_scope->spawn(parent(id));
  }

  baton::signal bell_;
  family families_[parents];
  uint32_t begun_ = 0;
};

void check(uint32_t seed, bool in_loop) {
  auto s = rage_in<join_stress>(seed, in_loop, blows / 4);
  CHECK_EQ(s->found.first, fault::none);
  CHECK_WITH(s->found.faults == 0, seed);
  CHECK(s->found.done > blows / 8);
  CHECK(s->found.cancelled + s->found.timed_out >= a_million);
  CHECK(s->found.cancelled > blows / 16);
  CHECK(s->found.timed_out > blows / 32);
  CHECK(s->found.lost > blows / 32);
  CHECK(s->late_joins > blows / 64);
  DOCTEST_MESSAGE(s->found.done << " children ended, " << s->found.lost << " destroyed, " << s->found.cancelled
                                << " waits cancelled, " << s->found.timed_out << " timed out, " << s->late_joins
                                << " joins late");
}

}  // namespace

TEST_CASE("a stress test of scopes in scopes, under a loop") {
  check(41, true);
}

TEST_CASE("a stress test of scopes in scopes, under core's timers") {
  check(42, false);
}
