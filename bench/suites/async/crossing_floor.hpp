// SPDX-License-Identifier: MIT
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <utility>

#include "events.hpp"

namespace suite_async {
namespace minimal {

/// Chunks of 64 events that threads push and one thread takes: one compare-and-swap per chunk, and
/// a system call to wake the taker, which looks for a moment before it sleeps. It is never closed,
/// and has no loop. A writer without a free chunk looks for one until there is.
template <typename Event>
class chunks {
  struct chunk {
    chunk* next;
    uint32_t size;
    Event events[64];
  };

 public:
  /// The looks of a thread before it sleeps or lets others run: for about as long as Baton looks.
  static constexpr uint32_t looks = 64;

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
      if (BATON_UNLIKELY(at_ == end_)) begin();
      *at_++ = e;
    }
    void flush() {
      if (!current_) return;
      chunk* const full = std::exchange(current_, nullptr);
      full->size = static_cast<uint32_t>(at_ - full->events);
      at_ = end_ = nullptr;
      to_.push(full);
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
    BATON_NOINLINE void begin() {
      flush();
      for (uint32_t n = 0; !spare_ && !(spare_ = take_returned()); ++n) {
        if (n < looks) {
          baton::port::pause();
        } else {
          std::this_thread::yield();
        }
      }
      current_ = spare_;
      spare_ = spare_->next;
      at_ = current_->events;
      end_ = at_ + 64;
    }
    chunk* take_returned() {
      if (!free_.load(std::memory_order_relaxed)) return nullptr;
      return free_.exchange(nullptr, std::memory_order_acquire);
    }

    chunks& to_;
    Event* at_ = nullptr;
    Event* end_ = nullptr;
    chunk* current_ = nullptr;
    chunk* spare_ = nullptr;
    alignas(64) std::atomic<chunk*> free_{nullptr};
    owned own_[chunks_each];
  };

  /// Handles the events that are there, and sleeps if there are none.
  template <typename Handle>
  void take_all(Handle& handle) {
    for (uint32_t n = 0; !top_.load(std::memory_order_relaxed); ++n) {
      if (n == looks) return sleep();
      baton::port::pause();
    }
    chunk* newest = top_.exchange(nullptr, std::memory_order_acquire);
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
