// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/priority_levels.hpp>
#include <memory>
#include <utility>

/// Handlers and interceptors as the dispatcher sees them, and their registrations.
namespace baton::BATON_VARIANT::service {

namespace detail {

class dispatcher;
struct service_record;
struct completion;

/// A handler or an interceptor, in the list of an event's type and in the list of the service that
/// registered it.
///
/// Shape    of the heap, shared by its `registration` and by its coroutines that have not ended.
struct subscriber {
  using call_function = void (*)(subscriber&, event_header&, void* event);
  using destroy_function = void (*)(subscriber&) noexcept;

  subscriber(call_function c, destroy_function d) noexcept : call(c), destroy(d) {}
  subscriber(const subscriber&) = delete;

  void keep() noexcept { ++uses; }
  void drop() noexcept {
    if (--uses == 0) destroy(*this);
  }

  call_function call;
  subscriber* next = nullptr;
  subscriber* before = nullptr;
  uint64_t since = 0;        // the number of events that had been handled when it was registered
  dispatcher* at = nullptr;  // null: it is removed, and is not called
  struct subscriber_list* list = nullptr;
  subscriber* owners_next = nullptr;
  subscriber** owners_link = nullptr;
  service_record* owner = nullptr;
  destroy_function destroy;
  uint32_t from = 0;  // number of the only service whose events it gets; 0: all
  uint32_t uses = 1;
};

/// Subscribers in the order of their registration.
struct subscriber_list {
  void push(subscriber& s) noexcept {
    s.before = last;
    s.next = nullptr;
    (last ? last->next : first) = &s;
    last = &s;
    s.list = this;
  }
  void remove(subscriber& s) noexcept {
    (s.before ? s.before->next : first) = s.next;
    (s.next ? s.next->before : last) = s.before;
    s.list = nullptr;
  }

  subscriber* first = nullptr;
  subscriber* last = nullptr;
};

void unsubscribe(subscriber& s) noexcept;

}  // namespace detail

/// A registration of a handler or an interceptor, which is called as long as this object lives.
///
/// Shape    a pointer; usually a member of the service that registered the handler.
/// Context  its worker's thread. A coroutine of the handler that has not ended when the
///          registration goes runs to its end; a coroutine of a service is stopped with the
///          service.
class [[nodiscard("the handler hears nothing when its registration is gone: keep it, as a member")]] registration {
 public:
  registration() noexcept = default;
  explicit registration(detail::subscriber& s) noexcept : heard_(&s) {}
  registration(registration&& other) noexcept : heard_(std::exchange(other.heard_, nullptr)) {}
  registration& operator=(registration&& other) noexcept {
    std::swap(heard_, other.heard_);
    return *this;
  }
  ~registration() { end(); }

  /// Ends the registration: the handler is not called again. Idempotent.
  void end() noexcept {
    detail::subscriber* const s = std::exchange(heard_, nullptr);
    if (!s) return;
    detail::unsubscribe(*s);
    s->drop();
  }
  explicit operator bool() const noexcept { return heard_ && heard_->at; }

 private:
  detail::subscriber* heard_ = nullptr;
};

}  // namespace baton::BATON_VARIANT::service
