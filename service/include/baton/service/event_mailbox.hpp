// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/async/mailbox.hpp>
#include <baton/async/spi/frames.hpp>
#include <baton/async/spi/give_way.hpp>
#include <baton/service/event_queue.hpp>
#include <baton/service/wrapped_events.hpp>
#include <memory>
#include <new>

/// Events from other threads.
namespace baton::BATON_VARIANT::service::detail {

/// Counts the events on their way to a worker. Any thread acquires a place, and the worker's thread
/// completes it.
///
/// Shape    two sums that only grow, on cache lines of their own, so that `acquire` does not wait
///          for the line that `complete` writes.
/// Cost     `acquire` one atomic addition, `complete` a store. While very many events are on their
///          way, one acquisition in 64 lets the worker's thread run first, because an event that
///          still lies in the processor's cache is cheaper to handle.
class in_flight {
 public:
  /// false: `at_most` events are on their way.
  bool acquire(uint64_t at_most) noexcept {
    const uint64_t with_this = acquired_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (BATON_UNLIKELY(with_this % 64 == 0) && is_more(with_this - look(), crowd)) async::spi::give_way();
    if (BATON_LIKELY(!is_more(with_this - seen_.load(std::memory_order_relaxed), at_most))) return true;
    if (!is_more(with_this - look(), at_most)) return true;
    release();
    return false;
  }
  void release() noexcept { acquired_.fetch_sub(1, std::memory_order_relaxed); }
  void complete() noexcept {
    completed_.store(completed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

 private:
  static constexpr uint64_t crowd = 4096;

  /// A difference is negative if other threads have acquired and completed since its first term was
  /// read.
  static bool is_more(uint64_t difference, uint64_t than) noexcept {
    return static_cast<int64_t>(difference) > static_cast<int64_t>(than);
  }

  /// The number of completed events, which later calls of `acquire` compare with.
  uint64_t look() noexcept {
    const uint64_t completed = completed_.load(std::memory_order_relaxed);
    seen_.store(completed, std::memory_order_relaxed);
    return completed;
  }

  alignas(64) std::atomic<uint64_t> acquired_{0};
  std::atomic<uint64_t> seen_{0};  // `completed_` when a thread last looked
  alignas(64) std::atomic<uint64_t> completed_{0};
};

/// The way for other threads to post events to a worker.
///
/// Shape    a posted event lies in the pool of coroutine frames until it has arrived. At most as
///          many events are on their way as the worker's queue holds.
/// Context  `post` any thread, as long as the application lives; first in, first out for each
///          thread. An event that is posted before the worker runs waits for it.
/// Cost     two atomic operations; bench/suites/service: cross_loop.
/// Errors   full: too many events are on their way. closed: the worker has ended. An event that
///          arrives at a full or closed queue is counted in `lost`.
class event_mailbox {
 public:
  explicit event_mailbox(event_queue& q) noexcept : to_(q) {}

  /// Errors   std::bad_alloc: nothing has happened.
  template <typename Event>
  status post(Event event, priority p, uint32_t origin = 0) {
    if constexpr (!lies_in_queue<Event>) {
      return post(boxed<Event>{std::make_unique<Event>(std::move(event))}, p, origin);
    } else {
      return post_in_line(std::move(event), p, origin);
    }
  }

  void limit_to(uint64_t events) noexcept { most_ = events; }
  const async::loop_handle& handle() const noexcept { return handle_; }
  /// The number of posted events that the queue refused. After the loop has ended.
  uint64_t lost() const noexcept { return lost_; }

 private:
  template <typename Event>
  status post_in_line(Event event, priority p, uint32_t origin) {
    auto* const l = new posted_event<Event>(*this, std::move(event), p, origin);
    if (!in_flight_.acquire(most_)) {
      delete l;
      return status::full;
    }
    if (handle_.mailbox().post(*l)) return status::ok;
    in_flight_.release();
    delete l;
    return status::closed;
  }

  template <typename Event>
  struct posted_event : async::message_node {
    posted_event(event_mailbox& m, Event e, priority p, uint32_t o)
        : async::message_node(&deliver, this), box(m), event(std::move(e)), event_priority(p), origin(o) {}

    static void* operator new(size_t bytes) {
      void* const memory = async::spi::allocate_frame(bytes);
      if (!memory) throw std::bad_alloc();
      return memory;
    }
    static void operator delete(void* memory, size_t bytes) noexcept { async::spi::free_frame(memory, bytes); }

    static void deliver(void* self) {
      posted_event* const l = static_cast<posted_event*>(self);
      status queued = status::full;
      try {
        queued = l->box.to().push(l->origin, l->event_priority, std::move(l->event));
      } catch (const std::bad_alloc&) {  // the sender has gone on: without memory the event is lost as in a full queue
      }
      if (queued != status::ok && !type_of_event<Event>.is_own) ++l->box.lost_;
      l->box.in_flight_.complete();
      delete l;
    }
    event_mailbox& box;
    Event event;
    priority event_priority;
    uint32_t origin;
  };

  event_queue& to() const noexcept { return to_; }

  event_queue& to_;
  const async::loop_handle handle_ = async::loop_handle::make();
  uint64_t most_ = queue_limit{}.events;
  uint64_t lost_ = 0;  // the worker's thread writes it
  in_flight in_flight_;
};

}  // namespace baton::BATON_VARIANT::service::detail
