// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/variant.hpp>
#include <utility>

/// Providers that are kept from stopping while they are used.
namespace baton::BATON_VARIANT::service {

namespace detail {

struct service_record;
struct slot;

/// A provider that fills a dependency. It is in the slot's list and in the provider's.
struct link {
  service_record* provider = nullptr;
  slot* to = nullptr;
  void* object = nullptr;  // the provider's object, cast to the interface
  link* next_of_provider = nullptr;
  link* before_of_provider = nullptr;
  link* next_of_slot = nullptr;
  link* before_of_slot = nullptr;
  bool is_held = false;  // the provider leaves, and waits for this dependant, which requires it, to stop
};

/// A hold on a provider, in the provider's list.
struct hold_record {
  service_record* provider = nullptr;
  service_record* holder = nullptr;
  hold_record* next = nullptr;
  hold_record** link = nullptr;
};
void take_hold(hold_record& h, const link& on) noexcept;
void move_hold(hold_record& to, hold_record& from) noexcept;
void drop_hold(hold_record& h) noexcept;
bool is_leaving(const hold_record& h) noexcept;

}  // namespace detail

/// Keeps a provider from stopping as long as it lives, within `options::step_limit`: a service that
/// holds a stopping provider for longer has failed, which ends its coroutines.
///
/// Shape    move-only; five pointers, in a list of the provider.
/// Context  the worker's thread; a local or a temporary of a coroutine.
template <typename Interface>
class [[nodiscard]] held {
 public:
  held() noexcept = default;
  explicit held(const detail::link* l) noexcept {
    if (!l) return;
    of_ = static_cast<Interface*>(l->object);
    detail::take_hold(record_, *l);
  }
  held(held&& other) noexcept : of_(std::exchange(other.of_, nullptr)) { detail::move_hold(record_, other.record_); }
  held& operator=(held&& other) noexcept {
    if (this == &other) return *this;
    release();
    of_ = std::exchange(other.of_, nullptr);
    detail::move_hold(record_, other.record_);
    return *this;
  }
  ~held() { release(); }

  explicit operator bool() const noexcept { return of_ != nullptr; }
  Interface* operator->() const noexcept { return of_; }
  Interface& operator*() const noexcept { return *of_; }
  Interface* get() const noexcept { return of_; }
  /// True if the provider waits for the end of this hold, to stop.
  bool is_leaving() const noexcept { return record_.provider && detail::is_leaving(record_); }
  /// Lets the provider go. Idempotent.
  void release() noexcept {
    of_ = nullptr;
    if (record_.provider) detail::drop_hold(record_);
  }

 private:
  Interface* of_ = nullptr;
  detail::hold_record record_;
};

}  // namespace baton::BATON_VARIANT::service
