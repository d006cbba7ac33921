// SPDX-License-Identifier: MIT
#include "rig.hpp"

#include <baton/async/cross_loop_broadcast.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/cross_loop_watch.hpp>
#include <baton/async/loop_thread.hpp>
#include <memory>
#include <random>

/// Watches and broadcasts between loops: a reader sees the last value of a watch, and each value of
/// a broadcast once and in the order of its sender, or is told how many it has lost.
using namespace baton;
using async::task;

namespace {

constexpr unsigned loops = 4;
constexpr uint32_t senders = 3, readers = 6;
#ifdef __SANITIZE_THREAD__
constexpr uint32_t messages = 1000;
constexpr int rounds = 8;
#else
constexpr uint32_t messages = 8000;
constexpr int rounds = 60;
#endif

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

void wait_for(const std::atomic<uint32_t>& n, uint32_t value) {
  while (n != value) std::this_thread::yield();
}

struct value {
  uint32_t sender = 0;
  uint32_t number = 0;  // from 1 on
};

struct books {
  std::atomic<uint32_t> subscribed{0}, sent_all{0}, ended{0};
  std::atomic<uint64_t> sent{0}, seen{0};
};

template <typename Broadcast>
task<> send_all(Broadcast& to, books& b, uint32_t me, bool impatient) {
  std::minstd_rand random(me + 1);
  for (uint32_t i = 1; i <= messages;) {
    const value v{me, i};
    status s = status::ok;
    if (impatient && random() % 2) {
      s = co_await async::within(microseconds(1 + random() % 20), to.send(v));
      CHECK(s == status::ok || s == status::timed_out);
    } else {
      s = co_await to.send(v);
      CHECK(s == status::ok);
    }
    if (s != status::ok) continue;  // it has not happened
    ++b.sent;
    ++i;
    if (random() % 16 == 0) co_await async::yield();
  }
  ++b.sent_all;
}

/// Receives with and without a deadline, and by a select.
template <typename Broadcast>
task<> receive_all(Broadcast& from, books& b, uint32_t me, bool loses) {
  std::minstd_rand random(me + 100);
  typename Broadcast::reader r;
  from.subscribe(r);
  ++b.subscribed;
  async::cross_loop_channel<int> never;
  uint32_t last[senders] = {};
  for (;;) {
    status s = status::ok;
    const uint32_t way = random() % 3;
    if (way == 0) {
      s = co_await async::within(microseconds(1 + random() % 20), from.receive(r));
    } else if (way == 1) {
      int n = 0;
      const async::selection which = co_await async::select(never.receive(n), from.receive(r));
      s = which.status;
      CHECK(which.index == 1);
    } else {
      s = co_await from.receive(r);
    }
    if (s == status::closed) break;
    CHECK(s == status::ok || s == status::timed_out);
    if (s != status::ok) continue;
    const value v = r.value();
    CHECK(v.sender < senders);
    CHECK(loses ? v.number > last[v.sender] : v.number == last[v.sender] + 1);
    CHECK(loses || r.lost() == 0);
    last[v.sender] = v.number;
    b.seen += 1 + r.lost();
    if (loses && random() % 32 == 0) co_await async::yield();
  }
  ++b.ended;
}

template <typename Policy>
void pass(bool impatient) {
  constexpr bool loses = __is_same(Policy, slow_reader::loses_oldest);
  async::cross_loop_broadcast<value, 4, Policy> news;
  books b;
  several on;
  for (uint32_t i = 0; i != readers; ++i) CHECK(on[i].spawn(receive_all(news, b, i, loses)) == status::ok);
  wait_for(b.subscribed, readers);
  for (uint32_t i = 0; i != senders; ++i) CHECK(on[i + 1].spawn(send_all(news, b, i, impatient)) == status::ok);
  wait_for(b.sent_all, senders);
  news.close();
  wait_for(b.ended, readers);
  CHECK(b.sent == uint64_t{senders} * messages);
  CHECK(b.seen == readers * b.sent);
}

/// Loops end by a stop or in the middle, while their readers hold senders: the others go on.
void ended_in_the_middle() {
  for (int round = 0; round != rounds; ++round) {
    async::cross_loop_broadcast<uint64_t, 2, slow_reader::holds_sender> news;
    async::cross_loop_watch<uint64_t> level;
    {
      rig::together threads(loops, [&](unsigned me) {
        async::loop l;
        for (uint32_t i = 0; i != 2; ++i) {
          l.spawn([](auto& to, auto& w) -> task<> {
            for (uint64_t v = 1;; ++v) {
              const status s = co_await to.send(v);
              if (s != status::ok) co_return;
              w.set(v);
            }
          }(news, level));
          l.spawn([](auto& from) -> task<> {
            typename std::remove_reference_t<decltype(from)>::reader r;
            from.subscribe(r);
            for (;;) {
              const status s = co_await from.receive(r);
              if (s != status::ok) co_return;
            }
          }(news));
          l.spawn([](auto& w) -> task<> {
            async::cross_loop_watch_reader seen;
            for (;;) {
              const status s = co_await w.changed(seen);
              if (s != status::ok) co_return;
              CHECK(w.read(seen) != 0);
            }
          }(level));
        }
        l.spawn([](async::loop& own, int r, unsigned number) -> task<> {
          static_cast<void>(co_await async::sleep_for(microseconds(static_cast<uint32_t>(r * 7 % 300))));
          if ((static_cast<unsigned>(r) + number) % 2) {
            own.stop();
          } else {
            own.quit();
          }
        }(l, round, me));
        l.run();
      });
    }
    CHECK(news.try_send(1) == status::ok);  // nobody is left who holds it
    CHECK(news.try_send(2) == status::ok);
    CHECK(news.try_send(3) == status::ok);
  }
}

/// Every reader sees rising values, and the last one.
void watched() {
  async::cross_loop_watch<uint64_t> level;
  books b;
  several on;
  for (uint32_t i = 0; i != readers; ++i) {
    CHECK(on[i].spawn([](auto& w, books& all, uint32_t seed) -> task<> {
      std::minstd_rand random(seed + 1);
      async::cross_loop_watch_reader seen;
      uint64_t last = 0;
      while (last != messages) {
        status s = status::ok;
        if (random() % 2) {
          s = co_await async::within(microseconds(1 + random() % 20), w.changed(seen));
        } else {
          s = co_await w.changed(seen);
        }
        if (s == status::timed_out) continue;
        CHECK(s == status::ok);
        const uint64_t now = w.read(seen);
        CHECK(now > last);
        last = now;
      }
      CHECK(!w.has_changed(seen));
      ++all.ended;
    }(level, b, i)) == status::ok);
  }
  for (uint64_t v = 1; v <= messages; ++v) level.set(v);
  wait_for(b.ended, readers);
}

}  // namespace

int main() {
  pass<slow_reader::holds_sender>(false);
  pass<slow_reader::holds_sender>(true);
  pass<slow_reader::loses_oldest>(false);
  pass<slow_reader::loses_oldest>(true);
  ended_in_the_middle();
  watched();
  return rig::verdict();
}
