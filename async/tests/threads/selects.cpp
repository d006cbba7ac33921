// SPDX-License-Identifier: MIT
#include "rig.hpp"

#include <baton/async.hpp>
#include <baton/async/cross_loop_base.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/loop_thread.hpp>
#include <memory>
#include <random>

/// Selects over cross-loop channels and channels of their own loop, and stackless coroutines at
/// cross-loop channels. Each value that was sent is received once, or is counted as lost, even if
/// coroutines time out, are destroyed, or a channel is closed meanwhile.
using namespace baton;
using async::selection;
using async::task;

namespace {

constexpr unsigned loops = 4;
#ifdef __SANITIZE_THREAD__
constexpr uint32_t messages = 600;
constexpr int rounds = 12;
#else
constexpr uint32_t messages = 6000;
constexpr int rounds = 100;
#endif

/// Values are numbers; their sum and count show that each came once.
struct tally {
  std::atomic<uint64_t> count{0};
  std::atomic<uint64_t> sum{0};
  void add(uint64_t v) {
    ++count;
    sum += v;
  }
};

using shared = async::cross_loop_channel<uint64_t, 0>;
using stored = async::cross_loop_channel<uint64_t, 4>;

/// The channels that all loops share, and the totals of sent and received values.
struct world {
  shared a, b;
  stored c;
  tally sent, received, unsure;
  std::atomic<uint64_t> lost{0};
  std::atomic<uint32_t> ended{0};

  void close() {
    a.close();
    b.close();
    c.close();
  }
};

/// The objects of one loop: it alone sends to `mine` and receives from it.
struct place {
  world& w;
  channel<uint64_t> mine;
  baton::signal bell;
};

/// Counts a value as doubtful if its sender is destroyed before it has counted it: the value may
/// have been sent, or not.
struct in_doubt {
  ~in_doubt() {
    if (to) to->add(value);
  }
  tally* to;
  uint64_t value;
};

template <typename Select>
task<selection> impatiently(std::minstd_rand& random, Select s) {
  switch (random() % 4) {
    case 0:
      co_return co_await async::within(microseconds(random() % 20), s);
    default:
      co_return co_await s;
  }
}

/// Sends each of its values by the channel that is open first.
task<> send_all(place& p, uint32_t seed) {
  std::minstd_rand random(seed);
  world& w = p.w;
  for (uint32_t i = 0; i != messages;) {
    const uint64_t value = uint64_t{seed} << 32 | i;
    uint64_t other = 0;
    in_doubt doubt{&w.unsure, value};
    selection s{};
    bool is_received = false;
    switch (random() % 4) {
      case 0:
        s = co_await impatiently(random, async::select(w.a.send(value), w.b.send(value)));
        break;
      case 1:
        s = co_await impatiently(random, async::select(p.mine.send(value), w.c.send(value), w.b.send(value)));
        break;
      case 2:
        s = co_await impatiently(random, async::select(w.a.send(value), p.mine.send(value)));
        break;
      default:  // to a, or from b
        s = co_await impatiently(random, async::select(w.a.send(value), w.b.receive(other)));
        is_received = s.index == 1;
    }
    doubt.to = nullptr;
    if (s.status == status::closed || s.status == status::cancelled) break;
    CHECK(s || s.status == status::timed_out);
    if (!s) continue;
    if (is_received) {
      w.received.add(other);
      continue;
    }
    w.sent.add(value);
    ++i;
    if (random() % 16 == 0) co_await async::yield();
  }
  ++w.ended;
}

/// Receives from the channel that has a value first, without a deadline if others send to each of
/// its channels.
task<> receive_all(place& p, uint32_t seed) {
  std::minstd_rand random(seed);
  world& w = p.w;
  for (;;) {
    uint64_t x = 0, y = 0, z = 0;
    selection s{};
    const duration soon = microseconds(static_cast<uint32_t>(random() % 40));
    switch (random() % 4) {
      case 0:
        s = co_await async::select(w.a.receive(x), w.b.receive(y), w.c.receive(z));
        break;
      case 1:
        s = co_await async::within(soon, async::select(w.c.receive(x), p.mine.receive(y), w.b.receive(z)));
        break;
      case 2:
        s = co_await async::within(soon, async::select(p.mine.receive(x), p.bell.wait(), w.a.receive(z)));
        if (s.index == 1 && s) continue;
        break;
      default:
        s = co_await async::within(soon, async::select(w.c.receive(x), p.mine.receive(y)));
    }
    if (s.status == status::closed || s.status == status::cancelled) break;
    CHECK(s || s.status == status::timed_out);
    if (s) w.received.add(s.index == 0 ? x : s.index == 1 ? y : z);
    if (random() % 8 == 0) p.bell.set();
  }
  ++w.ended;
}

/// A stackless receiver at one channel.
struct stackless_receiver : coroutine<stackless_receiver, async::cross_loop_base<deadline>> {
  stackless_receiver(world& in, uint32_t seed) : w(in), random(seed) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT_FOR(microseconds(static_cast<uint32_t>(random() % 20)), w.c.receive(value));
      if (result() == status::closed) break;
      if (result() == status::ok) w.received.add(value);
      BATON_WAIT_FOR(microseconds(static_cast<uint32_t>(random() % 20)), w.a.receive(value));
      if (result() == status::closed) break;
      if (result() == status::ok) w.received.add(value);
    }
    ++w.ended;
    BATON_END();
  }
  world& w;
  std::minstd_rand random;
  uint64_t value = 0;
};

struct stackless_sender : coroutine<stackless_sender, async::cross_loop_base<deadline>> {
  stackless_sender(world& in, uint32_t s) : w(in), seed(s), random(s) {}
  ~stackless_sender() { doubt(); }
  void begin_again() {
    doubt();
    restart();
  }
  /// Counts the value as doubtful: it may have been sent and not counted.
  void doubt() const {
    if (is_sending) w.unsure.add(value);
  }
  point step(point at) {
    BATON_BEGIN();
    for (i = 0; i != messages;) {
      value = uint64_t{seed} << 32 | i;
      is_sending = true;
      if (random() % 2) {
        BATON_WAIT(w.b.send(value));
      } else {
        BATON_WAIT_FOR(microseconds(static_cast<uint32_t>(random() % 20)), w.c.send(value));
      }
      is_sending = false;
      if (result() == status::closed) break;
      if (result() != status::ok) continue;
      w.sent.add(value);
      ++i;
    }
    ++w.ended;
    BATON_END();
  }
  world& w;
  uint32_t seed;
  std::minstd_rand random;
  uint64_t value = 0;
  uint32_t i = 0;
  bool is_sending = false;
};

/// All values arrive; then everything is closed.
void pass() {
  world w;
  constexpr uint32_t senders = 3 * loops;
  std::atomic<bool> all_sent{false};
  {
    const rig::together threads(loops + 1, [&](unsigned me) {
      if (me == loops) {  // a thread without a loop
        while (!all_sent) {
          uint64_t value = 0;
          if (w.c.try_receive(value) == status::ok) w.received.add(value);
          if (w.received.count == w.sent.count && w.sent.count == uint64_t{senders} * messages) all_sent = true;
          std::this_thread::yield();
        }
        w.close();
        return;
      }
      place p{w, {}, {}};
      stackless_receiver r(w, me + 1);
      stackless_sender s(w, me + 1);
      async::loop l;
      r.start();
      s.start();
      for (uint32_t k = 0; k != 2; ++k) {
        l.spawn(send_all(p, 100 + me * 2 + k));
        l.spawn(receive_all(p, 200 + me * 2 + k));
      }
      l.spawn([](std::atomic<bool>& over, place& own) -> task<> {
        while (!over) co_await async::sleep_for(microseconds(50));
        own.mine.close();
      }(all_sent, p));
      l.run();
      while (!r.is_done() || !s.is_done()) {
        l.mailbox().deliver();
        scheduler::run_for(8);
      }
    });
  }
  CHECK(w.ended == 6 * loops);
  CHECK(w.sent.count == uint64_t{senders} * messages);
  CHECK(w.sent.count == w.received.count);
  CHECK(w.sent.sum == w.received.sum);
  CHECK(w.unsure.count == 0);
}

/// One stackless coroutine is destroyed; the other is restarted, and is destroyed or outlives its
/// loop, which ends in one of several ways.
task<> strike(async::loop& own, world& w, uint32_t chance, std::unique_ptr<stackless_receiver>& one,
              std::unique_ptr<stackless_sender>& other) {
  co_await async::sleep_for(microseconds(chance % 200));
  one.reset();
  co_await async::sleep_for(microseconds(chance / 256 % 50));
  other->begin_again();
  switch (chance / 65536 % 4) {
    case 0:
      w.close();
      [[fallthrough]];
    case 1:
      other.reset();
      own.quit();
      break;
    default:
      co_await async::yield();
      own.stop();
  }
}

/// Coroutines in the middle of a wait are stopped, destroyed, or see a close, at random moments.
void ended_in_the_middle() {
  for (int round = 0; round != rounds; ++round) {
    world w;
    {
      const rig::together threads(loops, [&](unsigned me) {
        std::minstd_rand random(static_cast<uint32_t>(round) * loops + me + 1);
        const uint16_t lost_before = dropped_values();
        {
          place p{w, {}, {}};
          auto r = std::make_unique<stackless_receiver>(w, random());
          auto s = std::make_unique<stackless_sender>(w, random());
          {
            async::loop l;
            r->start();
            s->start();
            for (uint32_t k = 0; k != 3; ++k) {
              l.spawn(send_all(p, random() % 1000000));
              l.spawn(receive_all(p, random() % 1000000));
            }
            l.spawn(strike(l, w, random(), r, s));
            l.run();
          }
          // A coroutine whose loop has ended is still in a list, and is passed over.
          uint64_t v = 0;
          while (w.b.try_receive(v) == status::ok) w.received.add(v);
        }
        w.lost += static_cast<uint16_t>(dropped_values() - lost_before);
        CHECK(async::frames().frames == 0);
      });
    }
    uint64_t left = 0, v = 0;
    while (w.c.try_receive(v) == status::ok) ++left;
    const uint64_t arrived = w.received.count + w.lost + left;
    CHECK(arrived >= w.sent.count);
    CHECK(arrived <= w.sent.count + w.unsure.count);
  }
}

}  // namespace

int main() {
  pass();
  ended_in_the_middle();
  return rig::verdict();
}
