// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "peer.hpp"

namespace peer {

/// The share of `total` for the part with this index; the shares differ by at most one.
constexpr uint64_t share_of(uint64_t total, unsigned parts, unsigned index) {
  return total / parts + (index < total % parts ? 1 : 0);
}

/// Threads that push a share of the events each. They exist and wait before `go`, so that no
/// thread's start is timed.
class producers {
 public:
  /// `push(share)` runs in each of `count` threads.
  template <typename Push>
  producers(unsigned count, uint64_t total, Push push) {
    for (unsigned index = 0; index != count; ++index) {
      const uint64_t share = share_of(total, count, index);
      threads_.emplace_back([this, push, share] {
        ready_.fetch_add(1);
        while (!go_.load(std::memory_order_acquire)) std::this_thread::yield();
        push(share);
      });
    }
    while (ready_.load() != count) std::this_thread::yield();
  }
  void go() { go_.store(true, std::memory_order_release); }
  void join() {
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<unsigned> ready_{0};
  std::atomic<bool> go_{false};
  std::vector<std::thread> threads_;
};

/// The numbers of producers that are measured.
constexpr unsigned producer_counts[] = {1, 2, 4};

inline std::string cross_thread(unsigned producers) {
  return "cross_thread producers=" + std::to_string(producers);
}

}  // namespace peer
