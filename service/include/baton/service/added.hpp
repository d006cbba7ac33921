// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/typed_service_record.hpp>
#include <baton/service/worker.hpp>

/// Adds a service to a worker.
namespace baton::BATON_VARIANT::service {

/// A service that was just added, for its options. The registry looks at the service when the code
/// that added it has returned.
class added {
 public:
  explicit added(detail::service_record& e) noexcept : of_(&e) {}

  /// Gives it a name of its own, for messages. The default is the name of its type.
  added& named(std::string n) {
    of_->more().name = std::move(n);
    return *this;
  }
  /// Sets a property, by which other services may choose it, and which it can read.
  template <typename T>
  added& with(std::string_view name, T&& value) {
    properties::one p(name, std::forward<T>(value));
    of_->more().properties.set(name, std::move(p.value));
    return *this;
  }
  added& with(properties all) {
    of_->more().properties = std::move(all);
    return *this;
  }
  /// Restricts the providers of `Interface` to those that the filter, `bool(const properties&)`,
  /// accepts.
  template <typename Interface, typename Filter>
  added& where(Filter passes) {
    of_->more().filters.emplace_back(detail::id_of_interface<Interface>, std::move(passes));
    return *this;
  }
  /// Restarts the service when it fails, after a pause that grows.
  added& supervised(back_off b = {}) {
    of_->more().supervision = b;
    return *this;
  }
  /// Lets the other services go on when this one has failed for good.
  added& may_fail() {
    of_->on_failure = after_failure::stay_down;
    return *this;
  }
  /// Adds the service without starting it; `context::start` starts it.
  added& stopped() {
    of_->is_enabled = false;
    return *this;
  }

  service_id id() const noexcept { return of_->id; }
  /// So that an `added` serves as the id of its service.
  /// NOLINTNEXTLINE(google-explicit-constructor)
  operator service_id() const noexcept { return of_->id; }

 private:
  detail::service_record* of_;
};

namespace detail {

/// Adds a service to the registry's worker, for `requester` alone unless that is null. Mistakes in
/// its type are compile errors that come before any other of its instantiation.
template <typename Service, typename... Interfaces, typename... Arguments>
added add_service(registry& r, service_record* requester, Arguments&&... arguments) {
  constexpr bool is_derived = (std::is_base_of_v<Interfaces, Service> && ...);
  constexpr bool is_known = !is_derived || count_injected<Service, 0, std::decay_t<Arguments>...>() != none_fits;
  static_assert(is_derived, "a service provides what it is derived from");
  static_assert(is_known,
                "no constructor of this service fits: its parameters are required<I>, optional<I>, many<I> or context, "
                "by value, and then "
                "what add() was given, which is copied");
  if constexpr (is_derived && is_known) {
    auto* const e = new (r) typed_service_record<Service, provides<Service, Interfaces...>, std::decay_t<Arguments>...>(
        r, std::forward<Arguments>(arguments)...);
    if (requester) {
      e->requester = requester;
      e->next_scoped = requester->scoped;
      requester->scoped = e;
    }
    r.add(*e);
    return added(*e);
  } else {
    __builtin_unreachable();
  }
}

}  // namespace detail

}  // namespace baton::BATON_VARIANT::service
