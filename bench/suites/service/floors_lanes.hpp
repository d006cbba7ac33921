// SPDX-License-Identifier: MIT
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <memory>

#include "crossing.hpp"

// The minimal case cross_loop: a lane of chunks for each producer, which one thread reads in turn,
// and a futex for its sleep. There is no close and no bound.

namespace suite_service {
namespace minimal {

/// A queue from one thread to another.
class lane {
 public:
  lane() : read_from_(new chunk), write_to_(read_from_) {}
  lane(const lane&) = delete;
  lane& operator=(const lane&) = delete;
  ~lane() {
    for (chunk* c = read_from_; c;) delete std::exchange(c, c->next.load(std::memory_order_relaxed));
  }

  void push(const number& n) {
    chunk* c = write_to_;
    uint32_t at = c->written.load(std::memory_order_relaxed);
    if (at == chunk::slots) {
      auto* const more = new chunk;
      c->next.store(more, std::memory_order_release);
      write_to_ = c = more;
      at = 0;
    }
    c->events[at] = n;
    c->written.store(at + 1, std::memory_order_release);
  }
  /// Handles the events of the lane. Returns true if there were any.
  template <typename Handle>
  bool take_all(Handle&& handle) {
    bool any = false;
    for (;;) {
      chunk* const c = read_from_;
      const uint32_t written = c->written.load(std::memory_order_acquire);
      any |= c->read != written;
      while (c->read != written) handle(c->events[c->read++]);
      chunk* const next = written == chunk::slots ? c->next.load(std::memory_order_acquire) : nullptr;
      if (!next) return any;
      read_from_ = next;
      delete c;
    }
  }

 private:
  struct chunk {
    static constexpr uint32_t slots = 4094;

    std::atomic<chunk*> next{nullptr};
    std::atomic<uint32_t> written{0};
    uint32_t read = 0;
    number events[slots];
  };

  alignas(64) chunk* read_from_;
  alignas(64) chunk* write_to_;
};

/// The sleep of the reader.
class sleeper {
 public:
  void wake() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (sleeps_.load(std::memory_order_relaxed) != 0 && sleeps_.exchange(0) != 0) futex(FUTEX_WAKE_PRIVATE);
  }
  /// Sleeps unless `look` finds an event after all.
  template <typename Look>
  void sleep(Look&& look) {
    sleeps_.store(1, std::memory_order_seq_cst);
    if (!look()) futex(FUTEX_WAIT_PRIVATE);
    sleeps_.store(0, std::memory_order_relaxed);
  }

 private:
  void futex(int what) { syscall(SYS_futex, &sleeps_, what, 1, nullptr, nullptr, 0); }

  alignas(64) std::atomic<uint32_t> sleeps_{0};
};

template <uint32_t Producers>
struct cross_loop {
  explicit cross_loop(uint32_t n)
      : events(n), threads(Producers, n, [this](uint32_t index, uint32_t share, producers&) {
          for (uint32_t i = 0; i != share; ++i) {
            lanes[index].push(number{i});
            reader.wake();
          }
        }) {}
  void run() {
    threads.go();
    uint32_t idle = 0;
    while (heard != events) {
      if (take_all()) {
        idle = 0;
      } else if (++idle == looks) {
        reader.sleep([this] { return take_all(); });
        idle = 0;
      }
    }
  }
  counted finish() {
    threads.join();
    return only_if(sum == sum_of_shares(Producers, events), {events, heard});
  }
  bool take_all() {
    bool any = false;
    for (lane& l : lanes) {
      any |= l.take_all([this](const number& n) {
        sum += n.value;
        ++heard;
      });
    }
    return any;
  }

  static constexpr uint32_t looks = 64;

  uint32_t events;
  uint64_t heard = 0, sum = 0;
  lane lanes[Producers];
  sleeper reader;
  producers threads;
};

}  // namespace minimal
}  // namespace suite_service
