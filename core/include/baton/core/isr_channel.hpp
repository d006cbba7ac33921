// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>
#include <stddef.h>

namespace baton {

/// An isr_channel without its values, which follow it: one copy of the code per program.
///
/// Shape    the oldest value at `head & mask`. The interrupt writes `tail` and `overflows` alone,
///          the domain all the rest. Aligned so that values may follow without a gap.
struct alignas(uint64_t) isr_channel_base {
  constexpr isr_channel_base(uint8_t bytes, uint8_t last_slot) : size(bytes), mask(last_slot) {}

  /// The first of the channels that jobs wait for.
  static BATON_INLINE isr_channel_base*& awaited() {
    return domain::variable<struct awaited_isr_channel_name, isr_channel_base*>::get();
  }

  /// The function that hands over the values, once this program has waited for an isr_channel. A
  /// pointer leads to it, because a function that nothing names is not in the program, while a
  /// function behind a mark stays.
  ///
  /// Shape    no other variable is of the same layout: GCC merges variables that nothing sets, and
  ///          then reads them.
  union delivery {
    void (*all)();
    uint8_t unlike_others;
  };
  static BATON_INLINE delivery& deliver_by() {
    return domain::variable<struct isr_channel_delivery_name, delivery>::get();
  }

  bool is_empty() const { return head == tail; }

  /// Takes the oldest value, which is there.
  BATON_NOINLINE void take(void* value) {
    BATON_COMPILER_BARRIER();
    const uint8_t* from = reinterpret_cast<const uint8_t*>(this + 1) + static_cast<size_t>(head & mask) * size;
    uint8_t* to = static_cast<uint8_t*>(value);
    uint8_t left = size;
    do *to++ = *from++;
    while (--left);
    BATON_COMPILER_BARRIER();
    head = static_cast<uint8_t>(head + 1);
  }

  /// Receives. false: done. true: `w` waits, or, if it is null, nothing has happened. A job that
  /// waits already comes first.
  BATON_NOINLINE bool receive(waiter* w, void* value) {
    if (waiters.kind == wait_list::nobody && !is_empty()) {
      take(value);
      if (w) w->end(status::ok);
      return false;
    }
    if (w) {
      listen();
      wait_shared(w, &waiters, wait_list::receivers, value);
      raise_if_filled();
    }
    return true;
  }

  void listen() {
    deliver_by().all = &deliver_all;
    waker.bind();
    for (isr_channel_base* c = awaited(); c; c = c->link) {
      if (c == this) return;
    }
    link = awaited();
    awaited() = this;
  }

  /// Raises attention if a value came while the waiter was being listed, perhaps before its thread
  /// could see whom to wake.
  void raise_if_filled() {
    if (!is_empty()) port::attention::raise();
  }

  void unlisten() {
    for (isr_channel_base** l = &awaited(); *l; l = &(*l)->link) {
      if (*l != this) continue;
      *l = link;
      return;
    }
  }

  /// Hands the values of each channel to the jobs that wait for them.
  static BATON_NOINLINE void deliver_all() {
    isr_channel_base** l = &awaited();
    while (isr_channel_base* c = *l) {
      while (!c->is_empty()) {
        waiter* w = c->waiters.take_shared(wait_list::receivers);
        if (!w) break;
        c->take(w->slot);
        wake_shared(w, waiter::delivered);
      }
      if (c->waiters.kind == wait_list::nobody) {
        *l = c->link;
      } else {
        l = &c->link;
      }
    }
  }

  isr_channel_base* link = nullptr;
  wait_list waiters;
  uint8_t size, mask;
  volatile uint8_t head = 0;
  volatile uint8_t tail = 0;
  volatile uint16_t overflows = 0;
  port::waker waker;
};

/// Values from an interrupt or a signal handler to the jobs of a domain, first in, first out.
///
/// Shape    `Slots` values of `T`, inline. 12 bytes on AVR and the values.
/// Units    `T` is trivially copyable, of at most 255 bytes.
/// Context  `send()` in one interrupt, or in several of which none interrupts another: on AVR any
///          that leave interrupts masked, on a Cortex-M those of one priority. Several that may
///          interrupt each other call it with interrupts masked. On a host it is a signal handler
///          of the domain's own thread. Everything else is for the domain. The scheduler hands the
///          value to the oldest waiter between two jobs; the waiter runs from the tail of the ready
///          queue. A wait that is cancelled or times out has received nothing, and the value stays.
///          A job that is destroyed after the hand-over and before it ran takes the value with it:
///          `dropped_values()` counts it.
/// Cost     `send()`: a copy, three bytes of state and `sbi` on AVR, no call. A wait: as any wait,
///          plus a look at each awaited channel whenever attention was raised.
/// Errors   `send()`: full, nothing is stored, older values are kept, and `overflows()` counts it.
///          `closed` when the channel is destroyed while a job waits.
template <typename T, uint8_t Slots>
class isr_channel : domain_affinity {
  static_assert(Slots != 0 && Slots <= 128 && (Slots & (Slots - 1)) == 0,
                "byte cursors wrap at 256, so Slots must be a power of two up to 128");
  static_assert(sizeof(T) < 256 && __is_trivially_copyable(T),
                "a value that crosses from an interrupt is copied byte by byte: at most 255, and trivially copyable");
  static_assert(alignof(T) <= alignof(uint64_t), "values follow the channel's own members");

 public:
  struct receive_operation;

  constexpr isr_channel() : core_(sizeof(T), Slots - 1) {}
  isr_channel(const isr_channel&) = delete;
  isr_channel& operator=(const isr_channel&) = delete;
  ~isr_channel() {
    if (!detail::may_die(this, __PRETTY_FUNCTION__)) return;
    core_.unlisten();
    close_list(core_.waiters);
  }

  /// Sends `value`. Only for the interrupt.
  BATON_INLINE status send(const T& value) {
    const uint8_t tail = core_.tail;
    if (static_cast<uint8_t>(tail - core_.head) == Slots) {
      const uint16_t counted = core_.overflows;
      if (counted != UINT16_MAX) core_.overflows = static_cast<uint16_t>(counted + 1);
      return status::full;
    }
    slots_[tail & (Slots - 1)] = value;
    BATON_COMPILER_BARRIER();
    core_.tail = static_cast<uint8_t>(tail + 1);
    core_.waker.raise();
    return status::ok;
  }

  /// For BATON_WAIT and its forms: receives into `value`, waiting while there is none. `value` must
  /// live until the wait ends.
  BATON_NODISCARD BATON_INLINE receive_operation receive(T& value) { return receive_operation(*this, value); }

  /// Receives without waiting.
  /// Errors   empty: nothing is stored, or a job that waits comes first.
  BATON_NODISCARD status try_receive(T& value) {
    check();
    return core_.receive(nullptr, &value) ? status::empty : status::ok;
  }

  /// The values that found no room, since the beginning. Saturates.
  uint16_t overflows() const {
    port::critical masked;
    return core_.overflows;
  }

  /// The values that are stored.
  uint8_t depth() const { return static_cast<uint8_t>(core_.tail - core_.head); }

 private:
  isr_channel_base core_;
  T slots_[Slots] = {};
};

template <typename T, uint8_t Slots>
struct BATON_NODISCARD_TYPE isr_channel<T, Slots>::receive_operation : list_wait {
  BATON_INLINE receive_operation(isr_channel& c, T& value)
      : list_wait{&c.core_.waiters, wait_list::receivers, &value}, source(&c) {}

  static constexpr bool takes = true;

  BATON_INLINE bool try_now(waiter& w) const {
    source->check();
    if (source->core_.receive(nullptr, slot)) return false;
    w.end(status::ok);
    return true;
  }

  static constexpr bool tries_and_suspends = true;
  BATON_INLINE bool try_or_suspend(waiter& w) const {
    source->check();
    return source->core_.receive(&w, slot);
  }

  BATON_INLINE void suspend(waiter& w) const {
    source->core_.listen();
    wait_in(&w, list, who, slot);
    source->core_.raise_if_filled();
  }

  isr_channel* source;
};

}  // namespace baton
