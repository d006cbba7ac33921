// SPDX-License-Identifier: MIT
#include "coroutine_program.hpp"

#include <random>

// Tasks and coroutines call, tasks and coroutines serve, with random timeouts; servers are killed
// at random moments. Each reply belongs to its request, both sides count the same number of
// replies, and no client is left waiting.

using namespace baton;

namespace {

using desk = kernel::reachable<endpoint<uint32_t, uint32_t>>;
constexpr int rounds = 300;

std::mt19937 random_source;
uint32_t random_below(uint32_t n) {
  return random_source() % n;
}

struct counts {
  uint32_t replied = 0;   // counted by the servers
  uint32_t answered = 0;  // counted by the clients
  uint32_t wrong = 0, timed_out = 0, server_gone = 0, ended = 0;

  void take(status s, uint32_t question, uint32_t answer) {
    if (s == status::ok) {
      ++answered;
      if (answer != question * 2 + 1) ++wrong;
    }
    if (s == status::timed_out) ++timed_out;
    if (s == status::peer_gone) ++server_gone;
  }
};

struct calling : coroutine<calling, deadline> {
  calling(desk& d, counts& c) : desk_(d), counts_(c) {}
  point step(point at) {
    BATON_BEGIN();
    for (; left_; --left_) {
      x_.request = random_source();
      BATON_WAIT_FOR(ticks(1 + random_below(30)), desk_.call(x_));
      counts_.take(result(), x_.request, x_.reply);
      sim::advance(random_below(3));
    }
    ++counts_.ended;
    BATON_END();
  }
  desk& desk_;
  counts& counts_;
  exchange<uint32_t, uint32_t> x_;
  int left_ = rounds;
};

struct serving_one : coroutine<serving_one, deadline> {
  serving_one(desk& d, counts& c) : desk_(d), counts_(c) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(desk_.receive(s_));
      BATON_DELAY_UNTIL(port::now() + random_below(15));
      if (desk_.reply(s_, s_.request() * 2 + 1) == status::ok) ++counts_.replied;
    }
    BATON_END();
  }
  desk& desk_;
  counts& counts_;
  served<uint32_t, uint32_t> s_;
};

void run_stress(uint32_t seed, bool kills) {
  test::start_fresh();
  random_source.seed(seed);
  test::coroutine_program<8, 32> p(static_cast<kernel::priority>(seed % 5));
  desk d;
  p.coroutines.open(d);
  counts c;
  calling c0(d, c), c1(d, c);
  serving_one s0(d, c);
  c0.start();
  c1.start();
  s0.start();
  bool is_over = false;

  auto call_some = [&] {
    for (int i = 0; i < rounds; ++i) {
      const uint32_t question = random_source();
      uint32_t answer = 0;
      const status s = p.coroutines.call(d, question, answer, ticks(1 + random_below(30)));
      c.take(s, question, answer);
      sim::advance(random_below(3));
    }
    ++c.ended;
  };
  auto serve = [&] {
    while (!is_over) {
      uint32_t question = 0;
      kernel::reply_right right;
      if (p.coroutines.receive(d, question, right, ticks(1 + random_below(30))) != status::ok) continue;
      if (random_below(2) == 0) kernel::sleep(ticks(1 + random_below(15)));
      if (p.coroutines.reply(d, right, question * 2 + 1) == status::ok) ++c.replied;
    }
  };
  for (int i = 0; i < 2; ++i) p.task("client", static_cast<kernel::priority>(1 + i), call_some);
  p.task("server", 2, serve);
  p.task("killer", 5, [&] {
    for (int i = 0; kills && i < 200; ++i) {
      const kernel::tid victim = p.task("victim", static_cast<kernel::priority>(1 + random_below(3)), serve);
      kernel::sleep(ticks(1 + random_below(40)));
      kernel::kill(victim);
    }
    while (c.ended != 4) kernel::sleep(ticks(10));
    is_over = true;
  });
  p.run();

  CHECK_EQ(c.ended, 4);
  CHECK_EQ(c.wrong, 0);
  CHECK(c.answered > 300);
  CHECK(c.timed_out > 20);
  if (kills) {
    CHECK(c.server_gone > 5);
    CHECK(c.replied <= c.answered);  // a server may be killed before it has counted
    CHECK(c.replied + 200 >= c.answered);
  } else {
    CHECK_EQ(c.server_gone, 0);
    CHECK_EQ(c.replied, c.answered);
  }
  CHECK_EQ(p.coroutines.free_slots(), 8);
}

}  // namespace

TEST_CASE("each reply belongs to its request, and both sides count the same") {
  for (uint32_t seed = 1; seed <= 10; ++seed) run_stress(seed, false);
}

TEST_CASE("servers that are killed leave no client waiting") {
  for (uint32_t seed = 1; seed <= 10; ++seed) run_stress(seed, true);
}
