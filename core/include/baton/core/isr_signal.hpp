// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>

namespace baton {

namespace detail {

/// A bit that an interrupt sets, or another thread where there are threads. The thread that takes
/// the bit sees all that the setter wrote before.
class outside_bit {
 public:
  constexpr outside_bit() = default;

#if defined(__STDCPP_THREADS__) && __STDC_HOSTED__ && __GCC_ATOMIC_CHAR_LOCK_FREE == 2
  BATON_INLINE void set() { __atomic_store_n(&is_set_, 1, __ATOMIC_RELEASE); }
  BATON_INLINE bool is_set() const { return __atomic_load_n(&is_set_, __ATOMIC_RELAXED) != 0; }
  BATON_INLINE void clear() { __atomic_exchange_n(&is_set_, 0, __ATOMIC_ACQUIRE); }

 private:
  uint8_t is_set_ = 0;
#else
  BATON_INLINE void set() { is_set_ = 1; }
  BATON_INLINE bool is_set() const { return is_set_; }
  BATON_INLINE void clear() { is_set_ = 0; }

 private:
  volatile uint8_t is_set_ = 0;
#endif
};

}  // namespace detail

/// The way in from an interrupt, a signal handler or another thread: one bit that a job waits for.
///
/// Shape    a bit, not a count: two sets before the waiter runs are one. Count in the handler where
///          the number matters.
/// Context  `set()` anywhere; everything else in the domain. A set wakes the oldest waiter, which
///          runs from the ready queue's tail; with no waiter the bit stays until the next wait
///          takes it. No wake-up is lost: the bit is set before attention is raised, and the
///          scheduler lowers attention before it reads the bits.
/// Cost     `set()` on AVR: a byte store and `sbi`. A wait: as any wait, plus a look at each
///          awaited signal whenever attention was raised.
class isr_signal : domain_affinity {
 public:
  struct wait_operation;

  constexpr isr_signal() = default;
  isr_signal(const isr_signal&) = delete;
  isr_signal& operator=(const isr_signal&) = delete;
  ~isr_signal() {
    if (!detail::may_die(this, __PRETTY_FUNCTION__)) return;
    unlisten();
    close_list(waiters_);
  }

  /// Sets the bit and raises attention.
  BATON_INLINE void set() {
    pending_.set();
    waker_.raise();
  }

  /// Takes the bit if it is set. Never waits.
  BATON_INLINE bool try_take() {
    if (!pending_.is_set()) return false;
    pending_.clear();
    return true;
  }

  /// For BATON_WAIT and its forms: waits for the bit and takes it.
  BATON_NODISCARD BATON_INLINE wait_operation wait();

  /// Wakes a waiter of each signal that is set.
  /// Context  the scheduler, between two jobs.
  static BATON_NOINLINE void deliver_all() {
    isr_signal** link = &awaited();
    while (isr_signal* s = *link) {
      if (!spi::cases_may_refuse) {
        if (s->pending_.is_set()) {
          if (waiter* w = s->waiters_.take_shared(wait_list::receivers)) {
            s->pending_.clear();
            wake_shared(w, static_cast<uint8_t>(status::ok));
          }
        }
      } else if (s->waiters_.kind != wait_list::nobody && s->try_take()) {
        if (!wake_oldest(s->waiters_, static_cast<uint8_t>(status::ok))) s->pending_.set();
      }
      if (s->waiters_.kind == wait_list::nobody) {
        *link = s->link_;
      } else {
        link = &s->link_;
      }
    }
  }

  /// True once this program has waited for an isr_signal. Nobody takes the address of this
  /// variable: where nothing waits, link-time optimization finds it constant and drops the delivery
  /// from the program.
  static BATON_INLINE bool& are_used() { return domain::variable<struct used_name, bool>::get(); }

  /// The first of the signals that jobs of this domain wait for.
  static BATON_INLINE isr_signal*& awaited() { return domain::variable<struct awaited_name, isr_signal*>::get(); }

 private:
  void listen() {
    are_used() = true;
    waker_.bind();
    for (isr_signal* s = awaited(); s; s = s->link_) {
      if (s == this) return;
    }
    link_ = awaited();
    awaited() = this;
  }

  /// Takes the bit, or waits for it. false: taken. One copy per program.
  BATON_NOINLINE bool take_or_wait(waiter* w) {
    if (waiters_.kind == wait_list::nobody && try_take()) {
      w->end(status::ok);
      return false;
    }
    listen();
    wait_shared(w, &waiters_, wait_list::receivers, w);
    if (pending_.is_set()) port::attention::raise();
    return true;
  }

  void unlisten() {
    for (isr_signal** link = &awaited(); *link; link = &(*link)->link_) {
      if (*link != this) continue;
      *link = link_;
      return;
    }
  }

  isr_signal* link_ = nullptr;
  wait_list waiters_;
  detail::outside_bit pending_;
  port::waker waker_;
};

struct BATON_NODISCARD_TYPE isr_signal::wait_operation : list_wait {
  explicit wait_operation(isr_signal& s) : list_wait{&s.waiters_, wait_list::receivers, nullptr}, signal(&s) {}

  BATON_INLINE bool try_now(waiter& w) const {
    signal->check();
    if (signal->waiters_.kind != wait_list::nobody || !signal->try_take())
      return false;  // a job that waits already comes first
    w.end(status::ok);
    return true;
  }

  static constexpr bool tries_and_suspends = true;
  BATON_INLINE bool try_or_suspend(waiter& w) const {
    signal->check();
    return signal->take_or_wait(&w);
  }

  /// Waits, and raises attention if the bit was set while the waiter was being listed: the set may
  /// have come before its thread could see whom to wake.
  BATON_INLINE void suspend(waiter& w) const {
    signal->listen();
    wait_in(&w, list, who, slot);
    if (signal->pending_.is_set()) port::attention::raise();
  }

  isr_signal* signal;
};

BATON_INLINE isr_signal::wait_operation isr_signal::wait() {
  return wait_operation(*this);
}

}  // namespace baton
