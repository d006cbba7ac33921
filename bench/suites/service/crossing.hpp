// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "events.hpp"

// Events that other threads post to a worker: the case cross_loop of the suite service.

namespace suite_service {

/// Threads that push a share of the events each. They exist and wait before `go`, so that no
/// thread's start is timed.
class producers {
 public:
  /// `push(index, share, *this)` runs in each of `count` threads.
  template <typename Push>
  producers(uint32_t count, uint32_t total, Push push) {
    for (uint32_t index = 0; index != count; ++index) {
      threads_.emplace_back([=, this]() mutable {
        ready_.fetch_add(1);
        while (!go_.load(std::memory_order_acquire)) std::this_thread::yield();
        push(index, total / count, *this);
      });
    }
    while (ready_.load() != count) std::this_thread::yield();
  }
  void go() { go_.store(true, std::memory_order_release); }
  void join() {
    for (std::thread& t : threads_) t.join();
  }
  /// Called by a producer that has seen an impossible status.
  void fail() { has_failed_.store(true); }
  bool has_failed() const { return has_failed_.load(); }

 private:
  std::atomic<uint32_t> ready_{0};
  std::atomic<bool> go_{false};
  std::atomic<bool> has_failed_{false};
  std::vector<std::thread> threads_;
};

/// The sum of all numbers if each producer counts from 0.
constexpr uint64_t sum_of_shares(uint32_t producers, uint64_t events) {
  const uint64_t share = events / producers;
  return producers * (share * (share - 1) / 2);
}

/// A worker handles posted events; those of each producer have to come in order.
template <uint32_t Producers>
struct cross_loop : program {
  explicit cross_loop(uint32_t n)
      : events(n), threads(Producers, n, [this](uint32_t, uint32_t share, producers& all) {
          for (uint32_t i = 0; i != share; ++i) {
            if (app.post(here, number{i}) != baton::status::ok) all.fail();
          }
        }) {}
  void run() {
    threads.go();
    program::run();
  }
  counted finish() {
    threads.join();
    const bool is_right = ran_well() && !threads.has_failed() && sum == sum_of_shares(Producers, events);
    return only_if(is_right && handled() == heard, {events, heard});
  }

  uint32_t events;
  uint64_t heard = 0, sum = 0;
  service::registration hears = here.on<number>([this](const number& n) {
    sum += n.value;
    if (++heard == events) here.quit();
  });
  producers threads;
};

}  // namespace suite_service
