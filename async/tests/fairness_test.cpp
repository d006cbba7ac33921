// SPDX-License-Identifier: MIT
#include <baton/async/loop.hpp>
#include <baton/async/resume_on.hpp>
#include <baton/test/trace.hpp>
#include <memory>
#include <vector>

/// Timers, messages of other loops, and a poller are served within a bound while something is
/// always ready.
using namespace baton;
using async::task;

namespace {

/// The maximum of coroutine steps in one turn of a loop.
constexpr uint32_t bound = async::loop::turn * async::detail::transfers_in_a_row;

struct busy_program {
  /// Takes time, so that a timer can come due in the middle; the message is sent in the middle,
  /// too.
  void step() {
    sim::advance(1);
    if (++steps == 1000 && sent_at_1000) CHECK(own->mailbox().post(*sent_at_1000));
  }

  std::unique_ptr<async::loop> own = std::make_unique<async::loop>();
  async::message_node* sent_at_1000 = nullptr;
  bool is_over = false;
  uint32_t steps = 0;
};

/// Is always ready.
task<> busy(busy_program& p) {
  while (!p.is_over) {
    p.step();
    co_await async::yield();
  }
}

/// Is always ready, and bypasses the queue: control goes from one coroutine to the next that it
/// calls.
task<int> nested(int depth) {
  if (depth != 0) co_return co_await nested(depth - 1);
  co_return 0;
}
task<> busy_calling(busy_program& p) {
  while (!p.is_over) {
    p.step();
    static_cast<void>(co_await nested(100));
  }
}

struct stackless : coroutine<stackless> {
  explicit stackless(busy_program& of) : p(&of) {}
  point step(point at) {
    BATON_BEGIN();
    while (!p->is_over) {
      p->step();
      BATON_YIELD();
    }
    BATON_END();
  }
  busy_program* p;
};

struct sent {
  explicit sent(busy_program& of) : p(&of), node(&arrive, this) {}
  static void arrive(void* self) {
    sent& s = *static_cast<sent*>(self);
    s.at_step = s.p->steps;
    s.p->is_over = true;
  }
  busy_program* p;
  uint32_t at_step = 0;
  async::message_node node;
};

// No code destroys it as a poller. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
struct counting_poller final : async::poller {
  bool wait(tick until) override {
    if (last && until == 0) {
      const uint32_t gap = *steps - *last;
      if (gap > widest) widest = gap;
    }
    value = *steps;
    last = &value;
    ++looks;
    return false;
  }
  void wake() noexcept override {}

  const uint32_t* steps = nullptr;
  const uint32_t* last = nullptr;
  uint32_t value = 0;
  uint32_t widest = 0;
  uint32_t looks = 0;
};

}  // namespace

TEST_CASE("a timer is served within a turn, however many are ready") {
  for (uint32_t many = 1; many <= 600; many = many * 3 + 1) {
    busy_program p;
    uint32_t due_at = 0, served_at = 0;
    p.own->spawn([](busy_program& of, uint32_t& due, uint32_t& served) -> task<> {
      for (int i = 0; i < 20; ++i) {
        co_await async::sleep_for(ticks(bound / 3));
        due = of.steps;
        co_await async::sleep_until(port::now());  // due at once
        served = of.steps - due > served ? of.steps - due : served;
      }
      of.is_over = true;
    }(p, due_at, served_at));
    for (uint32_t i = 0; i != many; ++i) p.own->spawn(busy(p));
    p.own->run();
    // The alarm fires within a turn; then the coroutine is behind those that are ready.
    CHECK_WITH(served_at <= bound + many, many);
  }
}

TEST_CASE("what another loop sends arrives within a turn") {
  for (int kind = 0; kind != 3; ++kind) {
    busy_program p;
    sent s(p);
    stackless other(p), another(p);
    if (kind == 0) {
      for (int i = 0; i != 50; ++i) p.own->spawn(busy(p));
    } else if (kind == 1) {
      p.own->spawn(busy_calling(p));
    } else {
      other.start();
      another.start();
    }
    p.sent_at_1000 = &s.node;
    p.own->spawn(busy(p));
    p.own->run();
    CHECK_WITH(s.at_step >= 1000, kind);
    CHECK_WITH(s.at_step - 1000 <= bound, kind);
  }
}

TEST_CASE("a poller looks at what has come while jobs stay ready") {
  counting_poller eyes;
  busy_program p;
  p.own.reset();
  eyes.steps = &p.steps;
  p.own = std::make_unique<async::loop>(eyes);
  p.own->spawn([](busy_program& of) -> task<> {
    while (of.steps < 200 * bound) co_await async::yield();
    of.is_over = true;
  }(p));
  for (int i = 0; i != 7; ++i) p.own->spawn(busy(p));
  p.own->run();
  CHECK(eyes.looks >= 200 / async::loop::polls_every);
  CHECK(eyes.widest <= async::loop::polls_every * bound);
}

TEST_CASE("a loop with a poller asks it until when to sleep, and wakes it by a handle") {
  // No code destroys it as a poller. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
  struct sleeping_poller final : async::poller {
    bool wait(tick until) override {
      asked.push_back(until);
      if (until == 0 || until == async::never) return until == 0;
      sim::advance_to(until);
      return true;
    }
    void wake() noexcept override { ++wakes; }
    std::vector<tick> asked;
    int wakes = 0;
  } p;
  async::loop l(p);
  const tick begin = port::now();
  l.spawn([]() -> task<> { CHECK_EQ(co_await async::sleep_for(milliseconds(3)), status::ok); }());
  l.run();
  CHECK_EQ(port::now() - begin, milliseconds(3));
  CHECK_EQ(p.asked.back(), begin + milliseconds(3));
  CHECK_EQ(p.wakes, 0);
}
