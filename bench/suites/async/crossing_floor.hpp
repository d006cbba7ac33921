// SPDX-License-Identifier: MIT
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "events.hpp"

namespace suite_async {
namespace minimal {

/// Chunks of 64 events that threads push and one thread takes: one compare-and-swap per chunk, and
/// a system call to wake the taker. There is no close and no loop, and a writer without a free
/// chunk spins.
template <typename Event>
class chunks {
  struct chunk {
    chunk* next;
    uint32_t size;
    Event events[64];
  };

 public:
  /// As many chunks per writer as Baton has by default.
  static constexpr uint32_t chunks_each = 16;

  class writer {
   public:
    explicit writer(chunks& to) : to_(to) {
      for (chunk& c : own_) give_back(&c);
    }
    /// Waits until its chunks have come back.
    ~writer() {
      for (uint32_t back = 0; back != chunks_each;) {
        for (chunk* c = free_.exchange(nullptr, std::memory_order_acquire); c; c = c->next) ++back;
        for (chunk* c = spare_; c; c = c->next) ++back;
        spare_ = nullptr;
        std::this_thread::yield();
      }
    }
    BATON_INLINE void push(const Event& e) {
      if (BATON_UNLIKELY(!current_)) begin();
      current_->events[current_->size++] = e;
      if (current_->size == 64) flush();
    }
    void flush() {
      if (!current_) return;
      owned* o = static_cast<owned*>(current_);
      current_ = nullptr;
      to_.push(o);
    }

   private:
    friend class chunks;
    struct owned : chunk {
      writer* from;
    };
    void give_back(chunk* c) {
      static_cast<owned*>(c)->from = this;
      chunk* first = free_.load(std::memory_order_relaxed);
      do c->next = first;
      while (!free_.compare_exchange_weak(first, c, std::memory_order_release, std::memory_order_relaxed));
    }
    void begin() {
      while (!spare_ && !(spare_ = free_.exchange(nullptr, std::memory_order_acquire))) std::this_thread::yield();
      current_ = spare_;
      spare_ = spare_->next;
      current_->size = 0;
    }

    chunks& to_;
    chunk* current_ = nullptr;
    chunk* spare_ = nullptr;
    alignas(64) std::atomic<chunk*> free_{nullptr};
    owned own_[chunks_each];
  };

  /// Handles the events that are there, and sleeps if there are none.
  template <typename Handle>
  void take_all(Handle& handle) {
    chunk* newest = top_.exchange(nullptr, std::memory_order_acquire);
    if (!newest) return sleep();
    chunk* first = nullptr;
    while (newest) {
      chunk* older = newest->next;
      newest->next = first;
      first = newest;
      newest = older;
    }
    while (first) {
      chunk* next = first->next;
      for (uint32_t n = 0; n != first->size; ++n) handle(first->events[n]);
      static_cast<typename writer::owned*>(first)->from->give_back(first);
      first = next;
    }
  }

 private:
  static chunk* sleeping() { return reinterpret_cast<chunk*>(1); }

  void push(chunk* c) {
    chunk* top = top_.load(std::memory_order_relaxed);
    do c->next = top == sleeping() ? nullptr : top;
    while (!top_.compare_exchange_weak(top, c, std::memory_order_release, std::memory_order_relaxed));
    if (top != sleeping()) return;
    woken_.store(1, std::memory_order_release);
    syscall(SYS_futex, &woken_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
  void sleep() {
    woken_.store(0, std::memory_order_relaxed);
    chunk* nothing = nullptr;
    if (!top_.compare_exchange_strong(nothing, sleeping(), std::memory_order_acq_rel)) return;
    while (woken_.load(std::memory_order_acquire) == 0) {
      syscall(SYS_futex, &woken_, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
    }
  }

  alignas(64) std::atomic<chunk*> top_{nullptr};
  alignas(64) std::atomic<uint32_t> woken_{0};
};

}  // namespace minimal
}  // namespace suite_async
