// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/async/inbox.hpp>
#include <baton/service/hub.hpp>

/// Events from other threads.
namespace baton::service::detail {

/// A home's way in from other threads.
///
/// Shape    a letter is of the heap, from who posts it until it has arrived. No more are on their way than the home's queue has room for.
/// Context  `post` any thread, as long as the application lives; first in, first out for each. What is posted before the home runs waits for it.
/// Errors   full: too many are on their way. closed: the home has ended. What arrives when the queue is full, or closed, is counted in `lost`.
class mailbox {
 public:
  explicit mailbox(hub& h) noexcept : to_(h) {}

  template <typename Event>
  status post(Event event, priority p, uint32_t origin = 0) {
    if (on_their_way_.fetch_add(1, std::memory_order_relaxed) >= most_) return no_more(status::full);
    auto* const l = new letter<Event>(*this, std::move(event), p, origin);
    if (address_.mail().post(*l)) return status::ok;
    delete l;
    return no_more(status::closed);
  }

  void limit_to(uint64_t events) noexcept { most_ = events; }
  const async::address& address() const noexcept { return address_; }
  /// Its loop is gone.
  uint64_t lost() const noexcept { return lost_; }

 private:
  template <typename Event>
  struct letter : async::parcel {
    letter(mailbox& m, Event e, priority p, uint32_t o)
        : async::parcel(&arrive, this), box(m), event(std::move(e)), urgency(p), origin(o) {}
    static void arrive(void* self) {
      letter* const l = static_cast<letter*>(self);
      const status queued = l->box.to().push(l->origin, l->urgency, std::move(l->event));
      if (queued != status::ok && !type_of_event<Event>.is_own) ++l->box.lost_;
      l->box.on_their_way_.fetch_sub(1, std::memory_order_relaxed);
      delete l;
    }
    mailbox& box;
    Event event;
    priority urgency;
    uint32_t origin;
  };

  hub& to() const noexcept { return to_; }
  status no_more(status why) noexcept {
    on_their_way_.fetch_sub(1, std::memory_order_relaxed);
    return why;
  }

  hub& to_;
  const async::address address_ = async::address::make();
  std::atomic<uint64_t> on_their_way_{0};
  uint64_t most_ = queue_limit{}.events;
  uint64_t lost_ = 0;  // of the home's thread
};

}  // namespace baton::service::detail
