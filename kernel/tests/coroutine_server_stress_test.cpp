// SPDX-License-Identifier: MIT
#include "coroutine_program.hpp"

#include <random>
#include <set>

// Tasks and coroutines send, receive and call at random, with random timeouts, and tasks are killed
// at random moments. Every number that was sent is accounted for.

using namespace baton;

namespace {

constexpr int senders = 6;  // half of them tasks, half of them coroutines

uint32_t total_lost, total_ready;

/// The fate of each sender's numbers. The last sender stands for all killed tasks: the test does
/// not know which numbers they have sent.
struct book {
  void sent(int who) { ++sent_by[who]; }

  void received(uint32_t number) {
    const uint32_t who = number >> 24;
    const uint32_t count = number & 0xffffff;
    if (who > senders || !seen[who].insert(count).second) {
      ++doubled;
      return;
    }
    if (who != senders) ++all_received;
  }

  uint32_t all_sent() const {
    uint32_t all = 0;
    for (uint32_t s : sent_by) all += s;
    return all;
  }

  uint32_t sent_by[senders] = {};
  std::set<uint32_t> seen[senders + 1];
  uint32_t all_received = 0, doubled = 0, timed_out = 0;
};

std::mt19937 random_source;
uint32_t random_below(uint32_t n) {
  return random_source() % n;
}

template <typename Channel>
struct random_sender : coroutine<random_sender<Channel>, deadline> {
  random_sender(Channel& to, book& b, int who, int rounds) : to_(to), book_(b), who_(who), left_(rounds) {}
  point step(point at) {
    BATON_BEGIN();
    for (; left_; --left_) {
      number_ = static_cast<uint32_t>(who_) << 24 | ++count_;
      BATON_WAIT_FOR(ticks(1 + random_below(20)), to_.send(number_));
      if (this->result() == status::ok) {
        book_.sent(who_);
      } else {
        ++book_.timed_out;
      }
      sim::advance(random_below(4));
      if (random_below(4) == 0) BATON_DELAY_UNTIL(port::now() + random_below(50));
    }
    BATON_END();
  }
  Channel& to_;
  book& book_;
  int who_;
  int left_;
  uint32_t number_ = 0;
  uint32_t count_ = 0;
};

template <typename Channel>
struct random_receiver : coroutine<random_receiver<Channel>, deadline> {
  random_receiver(Channel& from, book& b, int rounds) : from_(from), book_(b), left_(rounds) {}
  point step(point at) {
    BATON_BEGIN();
    for (; left_; --left_) {
      BATON_WAIT_FOR(ticks(1 + random_below(40)), from_.receive(number_));
      if (this->result() == status::ok) book_.received(number_);
      sim::advance(random_below(4));
      BATON_DELAY_UNTIL(port::now() + random_below(60));
    }
    BATON_END();
  }
  Channel& from_;
  book& book_;
  int left_;
  uint32_t number_ = 0;
};

enum class kills { nobody, senders, receivers };

template <uint8_t Slots>
struct channel_stress {
  using channel_type = kernel::reachable<channel<uint32_t, Slots>>;
  static constexpr int rounds = 400;

  explicit channel_stress(uint32_t seed, kills whom) : p(static_cast<kernel::priority>(seed % 5)) {
    random_source.seed(seed);
    p.coroutines.open(c);
    for (auto* s : {&s3, &s4, &s5}) s->start();
    r0.start();
    r1.start();
    for (int i = 0; i < 3; ++i) p.task("sender", static_cast<kernel::priority>(1 + i), [this, i] { send_some(i); });
    for (int i = 0; i < 2; ++i)
      p.task("receiver", static_cast<kernel::priority>(2 + i), [this] { receive_some(rounds); });
    if (whom != kills::nobody) p.task("killer", 5, [this, whom] { kill_some(whom); });
    p.run();
    uint32_t number;
    while (c.try_receive(number) == status::ok) b.received(number);
  }

  void send_some(int who) {
    for (int i = 0; i < rounds; ++i) {
      const status s =
          p.coroutines.send(c, static_cast<uint32_t>(who) << 24 | ++counts[who], ticks(1 + random_below(20)));
      if (s == status::ok) b.sent(who);
      if (s == status::timed_out) ++b.timed_out;
      if (random_below(4) == 0) kernel::sleep(ticks(random_below(50)));
    }
  }

  void receive_some(int times) {
    while (times--) {
      uint32_t number = 0;
      if (p.coroutines.receive(c, number, ticks(1 + random_below(40))) == status::ok) b.received(number);
      if (random_below(2) == 0) kernel::sleep(ticks(random_below(60)));
    }
  }

  /// Kills tasks. Nothing says if a number that a victim sent has arrived. The coroutine server
  /// says if a number that the victim received is dropped, unless it has replied and the victim has
  /// not run since.
  void kill_some(kills whom) {
    for (int i = 0; i < 300; ++i) {
      const kernel::tid victim = p.task("victim", static_cast<kernel::priority>(1 + random_below(3)), [this, whom] {
        if (whom == kills::receivers) receive_some(1 << 30);
        for (;;) p.coroutines.send(c, senders << 24 | ++counts[senders], ticks(1 + random_below(40)));
      });
      kernel::sleep(ticks(1 + random_below(60)));
      kernel::task_report r;
      CHECK(kernel::inspect(static_cast<uint8_t>(victim), r));
      if (r.state == kernel::state::ready) ++killed_ready;
      ++killed;
      kernel::kill(victim);
    }
  }

  test::coroutine_program<8, 16> p;
  channel_type c;
  book b;
  uint32_t counts[senders + 1] = {};
  uint32_t killed = 0, killed_ready = 0;
  random_sender<channel_type> s3{c, b, 3, rounds}, s4{c, b, 4, rounds}, s5{c, b, 5, rounds};
  random_receiver<channel_type> r0{c, b, 3 * rounds}, r1{c, b, 3 * rounds};
};

template <uint8_t Slots>
void check_stress(uint32_t seed, kills whom) {
  test::start_fresh();
  std::unique_ptr<channel_stress<Slots>> s(new channel_stress<Slots>(seed, whom));
  const book& b = s->b;
  CHECK(b.timed_out > 0);
  CHECK(b.all_sent() > 500);
  CHECK_EQ(b.doubled, 0);
  CHECK_EQ(s->p.coroutines.free_slots(), 8);  // nothing of the killed tasks is left
  const uint32_t accounted = b.all_received + dropped_values();
  if (whom == kills::receivers) {
    CHECK(s->killed == 300);
    CHECK(accounted <= b.all_sent());
    CHECK(accounted + s->killed_ready >= b.all_sent());
    total_lost += dropped_values();
    total_ready += s->killed_ready;
  } else {
    CHECK_EQ(dropped_values(), 0);
    CHECK_EQ(b.all_received, b.all_sent());
    for (int who = 0; who < senders; ++who) CHECK_EQ(b.seen[who].size(), b.sent_by[who]);
  }
}

}  // namespace

TEST_CASE("nothing is lost or doubled between tasks and coroutines") {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    check_stress<0>(seed, kills::nobody);
    check_stress<4>(seed, kills::nobody);
  }
}

TEST_CASE("tasks that are killed while they send leave nothing behind") {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    check_stress<0>(seed, kills::senders);
    check_stress<4>(seed, kills::senders);
  }
}

TEST_CASE("what was handed to tasks that are killed while they receive is counted") {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    check_stress<0>(seed, kills::receivers);
    check_stress<4>(seed, kills::receivers);
  }
  CHECK(total_lost > 0);
}
