// SPDX-License-Identifier: MIT
#include "rig.hpp"

#include <baton/async/blocking.hpp>
#include <baton/async/loop_thread.hpp>
#include <csignal>
#include <memory>
#include <random>

/// Functions on a pool that several loops share: each call that ends with `ok` was made once, and
/// each other one was not, even if coroutines time out, are stopped, or go with their loop.
using namespace baton;
using async::blocking;
using async::blocking_pool;
using async::blocking_token;
using async::result;
using async::task;
using async::when_full;

namespace {

constexpr unsigned loops = 3;
#ifdef __SANITIZE_THREAD__
constexpr uint32_t calls_each = 300;
constexpr int rounds = 8;
#else
constexpr uint32_t calls_each = 2000;
constexpr int rounds = 60;
#endif

struct books {
  std::atomic<uint64_t> called{0}, ok{0}, refused{0}, timed_out{0};
  std::atomic<uint32_t> ended{0};
};

task<> call_all(blocking_pool& pool, books& b, uint32_t seed) {
  std::minstd_rand random(seed);
  for (uint32_t i = 0; i != calls_each; ++i) {
    const uint32_t argument = static_cast<uint32_t>(random());
    const uint32_t turns = random() % 2000;
    auto call = blocking(pool, [&b, argument, turns](blocking_token t) {
      ++b.called;
      for (uint32_t n = 0; n != turns && !t.is_stopping(); ++n) {
      }
      return std::make_unique<uint32_t>(argument + 1);
    });
    const uint32_t limit = random() % 2 ? 1 + random() % 50 : 1000000;
    const result<std::unique_ptr<uint32_t>> r = co_await async::within(microseconds(limit), call);
    if (r) {
      CHECK(**r == argument + 1);
      ++b.ok;
    } else if (r.status() == status::full) {
      ++b.refused;
    } else {
      CHECK(r.status() == status::timed_out);
      ++b.timed_out;
    }
  }
  ++b.ended;
}

void many_callers(uint32_t queue, when_full policy) {
  books b;
  blocking_pool pool(3, queue, policy);
  std::vector<std::unique_ptr<async::loop_thread>> on;
  for (unsigned i = 0; i != loops; ++i) on.push_back(std::make_unique<async::loop_thread>());
  for (unsigned i = 0; i != 4 * loops; ++i) CHECK(on[i % loops]->spawn(call_all(pool, b, i + 1)) == status::ok);
  while (b.ended != 4 * loops) std::this_thread::yield();
  for (auto& t : on) t->stop();
  for (auto& t : on) t->join();
  pool.join();
  CHECK(b.called == b.ok);
  CHECK(b.ok + b.refused + b.timed_out == uint64_t{4} * loops * calls_each);
  CHECK(b.ok != 0);
  CHECK((policy == when_full::refuses) == (b.refused != 0));
  CHECK(pool.waits() == 0);
  CHECK(pool.queued() == 0);
}

/// Loops end by a stop or in the middle, and then the pool: what the functions hold is freed once.
void ended_in_the_middle() {
  for (int round = 0; round != rounds; ++round) {
    const auto held = std::make_shared<int>(round);
    {
      blocking_pool pool(2, 4);
      {
        rig::together threads(loops, [&](unsigned me) {
          async::loop l;
          for (int i = 0; i != 6; ++i) {
            l.spawn([](blocking_pool& p, std::shared_ptr<int> mine) -> task<> {
              const auto spin = [](blocking_token t, std::shared_ptr<int> kept) {
                for (int n = 0; n != 3000 && !t.is_stopping(); ++n) {
                }
                return kept;
              };
              for (;;) {
                const result<std::shared_ptr<int>> r = co_await blocking(p, spin, mine);
                if (!r) co_return;
              }
            }(pool, held));
          }
          l.spawn([](async::loop& own, blocking_pool& p, int r, unsigned number) -> task<> {
            static_cast<void>(co_await async::sleep_for(microseconds(static_cast<uint32_t>(r * 7 % 300))));
            const unsigned way = (static_cast<unsigned>(r) + number) % 3;
            if (way == 0) own.stop();
            if (way == 1) own.quit();
            if (way == 2) p.close();
          }(l, pool, round, me));
          l.run();
        });
      }
      pool.join();
      CHECK(pool.waits() == 0);
    }
    CHECK(held.use_count() == 1);
  }
}

/// A function sends to a channel whose reader waits in the loop: the reader was made ready on the
/// pool's thread, and would never run.
void touches_a_loop() {
  int how = 0;
  const std::string text = rig::errors_of(
      [] {
        blocking_pool pool(1);
        channel<int, 2> values;
        async::loop l;
        l.spawn([](channel<int, 2>& from) -> task<> {
          int value = 0;
          static_cast<void>(co_await from.receive(value));
        }(values));
        l.spawn([](blocking_pool& p, channel<int, 2>& to) -> task<> {
          const auto sends = [&to] { return to.try_send(3); };
          static_cast<void>(co_await blocking(p, sends));
        }(pool, values));
        l.run();
      },
      how);
  CHECK(text.find("requirement 197 ") != std::string::npos);
  CHECK(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
}

}  // namespace

int main() {
  touches_a_loop();
  many_callers(1000, when_full::waits);
  many_callers(2, when_full::refuses);
  ended_in_the_middle();
  return rig::verdict();
}
