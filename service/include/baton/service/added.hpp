// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/typed_service_record.hpp>
#include <baton/service/worker.hpp>

/// Puts a service into a worker.
namespace baton::BATON_VARIANT::service {

/// Of a service that was added: what it is to have besides. It is looked at when whoever added it has returned.
class added {
 public:
  explicit added(detail::service_record& e) noexcept : of_(&e) {}

  /// A name of its own, for messages; otherwise it goes by its type's.
  added& named(std::string n) {
    of_->more().name = std::move(n);
    return *this;
  }
  /// A property, by which others may choose it, and which it can read.
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
  /// Only such providers of `Interface` as this says yes to: `bool(const properties&)`.
  template <typename Interface, typename Filter>
  added& where(Filter passes) {
    of_->more().filters.emplace_back(detail::id_of_interface<Interface>, std::move(passes));
    return *this;
  }
  /// When it fails it is started again, later and later.
  added& supervised(back_off b = {}) {
    of_->more().supervision = b;
    return *this;
  }
  /// When it has failed for good, the others go on.
  added& may_fail() {
    of_->on_failure = after_failure::stay_down;
    return *this;
  }
  /// It is not started before `context::start`.
  added& stopped() {
    of_->is_enabled = false;
    return *this;
  }

  service_id id() const noexcept { return of_->id; }
  /// Where a service is named. NOLINTNEXTLINE(google-explicit-constructor)
  operator service_id() const noexcept { return of_->id; }

 private:
  detail::service_record* of_;
};

namespace detail {

/// A new service of the registry's worker, for one requester alone if there is one. What is wrong with it is said before anything is made of it.
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
