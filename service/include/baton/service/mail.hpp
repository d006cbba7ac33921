// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/async/mailbox.hpp>
#include <baton/service/hub.hpp>
#include <baton/service/wrapped_events.hpp>
#include <memory>
#include <new>

/// Events from other threads.
namespace baton::service::detail {

/// How many are on their way: any thread counts who sets out, one thread who has arrived.
///
/// Shape    two sums that only grow, on cache lines of their own, so that who sets out does not wait for the line of who arrives.
/// Cost     `set_out` one atomic addition, `arrive` a store. Where very many are on their way, one in 64 lets the thread that they are for run first: what waits
///          in the processor's cache is cheaper than what does not.
class way_count {
 public:
  /// false: so many are on their way already.
  bool set_out(uint64_t at_most) noexcept {
    const uint64_t with_this = set_out_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (BATON_UNLIKELY(with_this % 64 == 0) && is_more(with_this - look(), crowd)) async::detail::give_way_in<port>(0);
    if (BATON_LIKELY(!is_more(with_this - seen_.load(std::memory_order_relaxed), at_most))) return true;
    if (!is_more(with_this - look(), at_most)) return true;
    turn_back();
    return false;
  }
  void turn_back() noexcept { set_out_.fetch_sub(1, std::memory_order_relaxed); }
  void arrive() noexcept { arrived_.store(arrived_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

 private:
  static constexpr uint64_t crowd = 4096;

  /// A difference is less than nothing where others have set out, and arrived, since its first term was read.
  static bool is_more(uint64_t difference, uint64_t than) noexcept {
    return static_cast<int64_t>(difference) > static_cast<int64_t>(than);
  }

  /// How many have arrived.
  uint64_t look() noexcept {
    const uint64_t arrived = arrived_.load(std::memory_order_relaxed);
    seen_.store(arrived, std::memory_order_relaxed);
    return arrived;
  }

  alignas(64) std::atomic<uint64_t> set_out_{0};
  std::atomic<uint64_t> seen_{0};  // of those that had arrived, when somebody last looked
  alignas(64) std::atomic<uint64_t> arrived_{0};
};

/// A home's way in from other threads.
///
/// Shape    a letter lies where frames of coroutines do, from who posts it until it has arrived. No more are on their way than the home's queue has room for.
/// Context  `post` any thread, as long as the application lives; first in, first out for each. What is posted before the home runs waits for it.
/// Cost     two atomic operations; bench/suites/service: cross_loop.
/// Errors   full: too many are on their way. closed: the home has ended. What arrives when the queue is full, or closed, is counted in `lost`.
class mailbox {
 public:
  explicit mailbox(hub& h) noexcept : to_(h) {}

  /// Throws std::bad_alloc, and nothing has happened.
  template <typename Event>
  status post(Event event, priority p, uint32_t origin = 0) {
    if constexpr (!lies_in_queue<Event>) {
      return post(boxed<Event>{std::make_unique<Event>(std::move(event))}, p, origin);
    } else {
      return post_letter(std::move(event), p, origin);
    }
  }

  void limit_to(uint64_t events) noexcept { most_ = events; }
  const async::loop_handle& handle() const noexcept { return handle_; }
  /// Its loop is gone.
  uint64_t lost() const noexcept { return lost_; }

 private:
  template <typename Event>
  status post_letter(Event event, priority p, uint32_t origin) {
    auto* const l = new letter<Event>(*this, std::move(event), p, origin);
    if (!on_their_way_.set_out(most_)) {
      delete l;
      return status::full;
    }
    if (handle_.mailbox().post(*l)) return status::ok;
    on_their_way_.turn_back();
    delete l;
    return status::closed;
  }

  template <typename Event>
  struct letter : async::message_node {
    letter(mailbox& m, Event e, priority p, uint32_t o)
        : async::message_node(&arrive, this), box(m), event(std::move(e)), urgency(p), origin(o) {}

    static void* operator new(size_t bytes) {
      void* const memory = async::detail::allocate_frame(bytes);
      if (!memory) throw std::bad_alloc();
      return memory;
    }
    static void operator delete(void* memory, size_t bytes) noexcept { async::detail::free_frame(memory, bytes); }

    static void arrive(void* self) {
      letter* const l = static_cast<letter*>(self);
      const status queued = l->box.to().push(l->origin, l->urgency, std::move(l->event));
      if (queued != status::ok && !type_of_event<Event>.is_own) ++l->box.lost_;
      l->box.on_their_way_.arrive();
      delete l;
    }
    mailbox& box;
    Event event;
    priority urgency;
    uint32_t origin;
  };

  hub& to() const noexcept { return to_; }

  hub& to_;
  const async::loop_handle handle_ = async::loop_handle::make();
  uint64_t most_ = queue_limit{}.events;
  uint64_t lost_ = 0;  // of the home's thread
  way_count on_their_way_;
};

}  // namespace baton::service::detail
