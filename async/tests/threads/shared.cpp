// SPDX-License-Identifier: MIT
#include "rig.hpp"

#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/cross_loop_endpoint.hpp>
#include <baton/async/loop_thread.hpp>
#include <memory>
#include <random>

/// Channels and endpoints between loops: each value that was sent is received once, even if
/// coroutines time out, are destroyed, or a channel is closed meanwhile.
using namespace baton;
using async::task;

namespace {

constexpr unsigned loops = 4;
#ifdef __SANITIZE_THREAD__
constexpr uint32_t messages = 2000;
constexpr int rounds = 8;
#else
constexpr uint32_t messages = 20000;
constexpr int rounds = 60;
#endif

/// Several loops on threads. Each runs the coroutines that it gets to their end.
struct several {
  several() {
    for (unsigned i = 0; i != loops; ++i) all.push_back(std::make_unique<async::loop_thread>());
  }
  ~several() {
    for (auto& t : all) t->stop();
    for (auto& t : all) t->join();
  }
  async::loop_thread& operator[](unsigned i) { return *all[i % loops]; }
  std::vector<std::unique_ptr<async::loop_thread>> all;
};

/// Values are numbers; their sum and count show that each came once.
struct tally {
  std::atomic<uint64_t> count{0};
  std::atomic<uint64_t> sum{0};
  void add(uint64_t v) {
    ++count;
    sum += v;
  }
};

struct books {
  tally sent, received;
  std::atomic<uint32_t> ended{0};
  std::atomic<uint64_t> lost{0};
};

void wait_for(const std::atomic<uint32_t>& n, uint32_t value) {
  while (n != value) std::this_thread::yield();
}

template <uint16_t Capacity>
task<> send_all(async::cross_loop_channel<uint64_t, Capacity>& to, books& b, uint32_t seed, bool impatient) {
  std::minstd_rand random(seed);
  for (uint32_t i = 0; i != messages; ++i) {
    const uint64_t value = uint64_t{seed} << 32 | i;
    status s = status::ok;
    if (impatient && random() % 2) {
      s = co_await async::within(microseconds(random() % 20), to.send(value));
      CHECK(s == status::ok || s == status::timed_out);
    } else {
      s = co_await to.send(value);
      CHECK(s == status::ok);
    }
    if (s == status::ok) b.sent.add(value);
    if (random() % 16 == 0) co_await async::yield();
  }
  ++b.ended;
}

template <uint16_t Capacity>
task<> receive_all(async::cross_loop_channel<uint64_t, Capacity>& from, books& b, uint32_t seed, bool impatient) {
  std::minstd_rand random(seed);
  for (;;) {
    uint64_t value = 0;
    status s = status::ok;
    if (impatient && random() % 2) {
      s = co_await async::within(microseconds(random() % 20), from.receive(value));
    } else {
      s = co_await from.receive(value);
    }
    if (s == status::closed) break;
    CHECK(s == status::ok || s == status::timed_out);
    if (s == status::ok) b.received.add(value);
  }
  ++b.ended;
}

template <uint16_t Capacity>
void pass(bool impatient) {
  async::cross_loop_channel<uint64_t, Capacity> c;
  books b;
  several on;
  for (unsigned i = 0; i != 8; ++i) {
    CHECK(on[i].spawn(send_all(c, b, i + 1, impatient)) == status::ok);
    CHECK(on[i + 1].spawn(receive_all(c, b, i + 100, impatient)) == status::ok);
  }
  wait_for(b.ended, 8);
  while (b.received.count != b.sent.count) std::this_thread::yield();
  c.close();
  wait_for(b.ended, 16);
  CHECK(b.sent.sum == b.received.sum);
  uint64_t value = 0;
  CHECK(c.try_send(value) == status::closed);
  CHECK(c.try_receive(value) == status::closed);
}

/// Loops are stopped, or end while their coroutines wait: each value that was sent was received, or
/// is counted as lost.
void ended_in_the_middle() {
  for (int round = 0; round != rounds; ++round) {
    async::cross_loop_channel<uint64_t, 2> c;
    books b;
    std::atomic<uint32_t> gone{0};
    {
      rig::together threads(loops, [&](unsigned me) {
        {
          const uint16_t lost_before = dropped_values();
          {
            async::loop l;
            for (uint32_t i = 0; i != 4; ++i) {
              l.spawn([](auto& to, books& all) -> task<> {
                for (uint64_t v = 1;; ++v) {
                  const status s = co_await to.send(v);
                  if (s != status::ok) co_return;
                  all.sent.add(v);
                }
              }(c, b));
              l.spawn([](auto& from, books& all) -> task<> {
                for (;;) {
                  uint64_t v = 0;
                  if (co_await from.receive(v) != status::ok) co_return;
                  all.received.add(v);
                }
              }(c, b));
            }
            l.spawn([](async::loop& own, int r, unsigned number) -> task<> {
              co_await async::sleep_for(microseconds(static_cast<uint32_t>(r * 7 % 300)));
              if ((static_cast<unsigned>(r) + number) % 2) {
                own.stop();
              } else {
                own.quit();
              }
            }(l, round, me));
            l.run();
          }
          b.lost += static_cast<uint16_t>(dropped_values() - lost_before);
          CHECK(async::frames().frames == 0);
        }
        ++gone;
      });
    }
    uint64_t left = 0, v = 0;
    while (c.try_receive(v) == status::ok) ++left;
    // A sender that is destroyed after the hand-over and before it ran has not counted its value.
    CHECK(b.received.count + b.lost + left >= b.sent.count);
    CHECK(b.received.count + b.lost + left <= b.sent.count + 16);
  }
}

using service = async::cross_loop_endpoint<uint32_t, uint64_t>;

task<> serve(service& e, books& b, uint32_t seed) {
  std::minstd_rand random(seed);
  service::served_type s;
  while (co_await e.receive(s) == status::ok) {
    if (random() % 8 == 0) co_await async::sleep_for(microseconds(random() % 30));
    if (random() % 16 == 0) {
      s.abandon();
      CHECK(e.reply(s, 0) == status::peer_gone);
      continue;
    }
    const uint64_t answer = uint64_t{s.request()} * s.request();
    if (e.reply(s, answer) == status::ok) b.sent.add(answer);
    CHECK(e.reply(s, answer) == status::peer_gone);
  }
  ++b.ended;
}

task<> call(service& e, books& b, uint32_t seed) {
  std::minstd_rand random(seed);
  service::exchange_type x;
  for (uint32_t i = 0; i != messages; ++i) {
    x.request = static_cast<uint32_t>(random() % 100000);
    status s = status::ok;
    if (random() % 4 == 0) {
      s = co_await async::within(microseconds(random() % 30), e.call(x));
    } else {
      s = co_await e.call(x);
    }
    CHECK(s == status::ok || s == status::timed_out || s == status::peer_gone);
    if (s == status::ok) {
      CHECK(x.reply == uint64_t{x.request} * x.request);
      b.received.add(x.reply);
    }
  }
  ++b.ended;
}

void calls() {
  service e;
  books b;
  several on;
  for (unsigned i = 0; i != 4; ++i) {
    CHECK(on[i].spawn(serve(e, b, i + 1)) == status::ok);
    CHECK(on[i + 1].spawn(call(e, b, i + 50)) == status::ok);
    CHECK(on[i + 2].spawn(call(e, b, i + 70)) == status::ok);
  }
  wait_for(b.ended, 8);
  e.close();
  wait_for(b.ended, 12);
  CHECK(b.sent.count == b.received.count);
  CHECK(b.sent.sum == b.received.sum);
  CHECK(b.received.count != 0);
}

/// A thread without a loop tries to send and receive; a loop has the waiting side.
void from_a_thread() {
  async::cross_loop_channel<uint64_t> c;
  books b;
  several on;
  CHECK(on[0].spawn(receive_all(c, b, 1, false)) == status::ok);
  for (uint64_t v = 1; v <= 100; ++v) {
    while (c.try_send(v) == status::full) std::this_thread::yield();
  }
  c.close();
  wait_for(b.ended, 1);
  CHECK(b.received.sum == 5050);
}

}  // namespace

int main() {
  pass<0>(false);
  pass<0>(true);
  pass<8>(false);
  pass<8>(true);
  ended_in_the_middle();
  calls();
  from_a_thread();
  return rig::verdict();
}
