// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/broadcast_core.hpp>

namespace baton {

/// The policies of a broadcast for a reader that is slow.
namespace slow_reader {

/// A send waits until every reader has received the value over which it stores. No value is lost.
struct holds_sender {
  using core = detail::lossless_broadcast_core;
};

/// A send never waits: it stores over the oldest value. A reader that had not received that value
/// loses it; its next receive brings the oldest that is left, and says how many were lost.
struct loses_oldest {
  using core = detail::broadcast_core;
};

}  // namespace slow_reader

/// Values for any number of readers of one domain, each of which receives each value:
/// `broadcast<sample, 8, slow_reader::loses_oldest>`.
///
/// Shape    the last `Slots` values of `T`, inline. On AVR 5 bytes and the values, with
///          holds_sender 10; a reader 4 bytes and its value, with holds_sender 8.
/// Units    `T` is trivially copyable, of at most 255 bytes. With loses_oldest a reader may fall as
///          many values behind as `unsigned` counts, less one.
/// Context  the domain's jobs. A reader, a member of its job, receives the values that are sent
///          after `subscribe()`. A send copies the value to the readers that wait, and puts them at
///          the tail of the ready queue, oldest first; the sender goes on. With holds_sender the
///          reader that makes room stores the value of the oldest sender, which runs from the tail.
///          A wait that is cancelled or times out has not happened. A reader that is destroyed or
///          restarted after the hand-over and before it ran takes its copy with it, and
///          `dropped_values()` counts it; its destructor unsubscribes it.
/// Cost     a send O(readers that wait), with holds_sender O(readers), as a receive. Flash on AVR:
///          suite memory, cases broadcast and broadcast_two.
/// Errors   `closed` when it is destroyed while a job waits. With holds_sender BATON_REQUIRE
///          receive_before_subscribe.
template <typename T, uint8_t Slots, typename SlowReader>
class broadcast : domain_affinity {
  static_assert(Slots != 0 && Slots <= 128 && (Slots & (Slots - 1)) == 0, "Slots must be a power of two up to 128");
  static_assert(sizeof(T) < 256 && __is_trivially_copyable(T),
                "a value of a broadcast is copied byte by byte: at most 255, and trivially copyable");
  static_assert(alignof(T) <= alignof(uint64_t), "values follow the broadcast's own members");

  using core = typename SlowReader::core;
  static constexpr typename core::shape shape() { return {sizeof(T), Slots - 1}; }

 public:
  struct send_operation;
  struct receive_operation;

  /// A member of the job that receives. It must live until its waits end.
  class reader {
   public:
    reader() = default;
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;
    ~reader() {
      if (detail::may_die(this, __PRETTY_FUNCTION__)) core::unsubscribe(cursor_, shape());
    }

    /// The value that was received last.
    const T& value() const { return value_; }

    /// The values that the reader has lost directly before `value()`. 0 with holds_sender.
    unsigned lost() const { return core::place(cursor_).lost; }

   private:
    friend class broadcast;

    typename core::cursor cursor_;
    T value_ = {};
  };

  constexpr broadcast() = default;
  broadcast(const broadcast&) = delete;
  broadcast& operator=(const broadcast&) = delete;
  ~broadcast() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) core_.close();
  }

  /// Lets `r` receive the values that are sent from then on. A second call skips those that it has
  /// not received.
  void subscribe(reader& r) {
    check();
    core_.subscribe(r.cursor_, shape());
  }

  /// Takes `r` out: it holds no sender back.
  void unsubscribe(reader& r) {
    check();
    core::unsubscribe(r.cursor_, shape());
  }

  /// For BATON_WAIT and its forms: sends `value`, which must live until the wait ends.
  BATON_NODISCARD BATON_INLINE send_operation send(const T& value) { return send_operation(*this, value); }

  /// For BATON_WAIT and its forms: receives the next value of `r`, waiting while there is none.
  BATON_NODISCARD BATON_INLINE receive_operation receive(reader& r) { return receive_operation(*this, r); }

  /// Sends without waiting.
  /// Errors   full, with holds_sender: nothing was sent.
  BATON_NODISCARD status try_send(const T& value) { return send_(nullptr, &value) ? status::full : status::ok; }

  /// Receives without waiting.
  /// Errors   empty: the reader has received every value.
  BATON_NODISCARD status try_receive(reader& r) { return receive_(nullptr, r) ? status::empty : status::ok; }

 private:
  BATON_INLINE bool send_(waiter* w, const void* value) {
    check();
    return core_.send(w, value, shape());
  }
  BATON_INLINE bool receive_(waiter* w, reader& r) {
    check();
    return core_.receive(w, r.cursor_, shape());
  }

  core core_;
  T slots_[Slots] = {};
};

template <typename T, uint8_t Slots, typename SlowReader>
struct BATON_NODISCARD_TYPE broadcast<T, Slots, SlowReader>::send_operation : list_wait {
  BATON_INLINE send_operation(broadcast& b, const T& value)
      : list_wait{&b.core_.senders(), wait_list::senders, const_cast<T*>(&value)}, target(&b) {}

  static constexpr bool tries_and_suspends = true;
  BATON_INLINE bool try_or_suspend(waiter& w) const { return target->send_(&w, slot); }
  BATON_INLINE bool try_now(waiter& w) const {
    if (target->send_(nullptr, slot)) return false;
    w.end(status::ok);
    return true;
  }

  broadcast* target;
};

template <typename T, uint8_t Slots, typename SlowReader>
struct BATON_NODISCARD_TYPE broadcast<T, Slots, SlowReader>::receive_operation : list_wait {
  BATON_INLINE receive_operation(broadcast& b, reader& r)
      : list_wait{&b.core_.receivers(), wait_list::receivers, &core::place(r.cursor_)}, source(&b), by(&r) {}

  static constexpr bool takes = true;

  static constexpr bool tries_and_suspends = true;
  BATON_INLINE bool try_or_suspend(waiter& w) const { return source->receive_(&w, *by); }
  BATON_INLINE bool try_now(waiter& w) const {
    if (source->receive_(nullptr, *by)) return false;
    w.end(status::ok);
    return true;
  }

  broadcast* source;
  reader* by;
};

}  // namespace baton
