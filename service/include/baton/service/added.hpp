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
  /// Gives it the properties and the filters of another service of its worker.
  added& like(service_id other) {
    const detail::service_record* const e = of_->owning_registry->find(other);
    if (!e || !e->rare) return *this;
    of_->more().properties = e->rare->properties;
    of_->more().filters = e->rare->filters;
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
  /// Sets the rank among the providers of its interfaces; 0 by default. A dependency gets the
  /// provider with the highest rank, and among equal ones the one that has been active longest. A
  /// requirement with providers of different ranks is not ambiguous.
  added& rank(int32_t rank) {
    for (size_t i = 0; i != of_->type->provides.size(); ++i) of_->provided_interfaces[i].rank = rank;
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

/// True if a constructor of the service fits, or if nothing is to be looked up because of another
/// mistake.
template <bool IsSound, typename Service, typename... Passed>
constexpr bool fits_if() {
  if constexpr (IsSound) return count_injected<Service, 0, Passed...>() != none_fits;
  return true;
}

template <typename I>
void import_from_others(worker& from);

template <typename I>
struct import_of {
  static void begin(registry&) noexcept {}
};
template <typename I>
struct import_of<on_worker<I>> {
  static void begin(registry& r) {
    static_assert(included<on_worker<I>>, "include <baton/service/on_worker.hpp>");
    r.add_import({id_of_interface<on_worker<I>>, id_of_interface<I>, &import_from_others<I>});
  }
};

/// Lets the providers of other workers be found that the parameters ask for.
template <typename... Parameters>
void begin_imports(registry& r, type_is<std::tuple<Parameters...>>) {
  (import_of<typename parameter_need<Parameters>::interface>::begin(r), ...);
}

/// Adds a service to the registry's worker, for `requester` alone unless that is null. Mistakes in
/// its type are compile errors that come before any other of its instantiation.
template <starts Starts, typename Service, typename... Interfaces, typename... Arguments>
added add_service(registry& r, service_record* requester, Arguments&&... arguments) {
  constexpr bool is_derived = (std::is_base_of_v<Interfaces, Service> && ...);
  constexpr bool is_concrete = !std::is_abstract_v<Service>;
  constexpr bool is_copied = Starts == starts::one || (std::is_copy_constructible_v<std::decay_t<Arguments>> && ...);
  constexpr bool is_sound = is_derived && is_concrete && is_copied;
  static_assert(is_derived, "a service provides what it is derived from");
  static_assert(is_concrete,
                "a service is an object, and this class is abstract: override each of its pure virtual functions, or "
                "name it as the interface of a class that does");
  static_assert(is_copied,
                "each start gets a copy of what add() was given, and one of the arguments can only be moved: pass a "
                "std::shared_ptr or a function that makes it, or use add_once()");
  constexpr bool is_known = fits_if<is_sound, Service, passed<Starts, std::decay_t<Arguments>>...>();
  static_assert(
      is_known,
      "no constructor of this service fits: its parameters are required<I>, current<I>, optional<I>, "
      "many<I>, at_least_one<I>, provider<I> or context, by value, and then what add() was given, which is copied");
  if constexpr (is_sound && is_known) {
    auto* const e =
        new (r) typed_service_record<Service, provides<Service, Interfaces...>, Starts, std::decay_t<Arguments>...>(
            r, std::forward<Arguments>(arguments)...);
    struct unadded {
      ~unadded() {
        if (record) record->type->free(*record);
      }
      service_record* record;
    } own{e};
    r.add(*e);
    own.record = nullptr;
    if (requester) {
      e->requester = requester;
      e->next_scoped = requester->scoped;
      requester->scoped = e;
    }
    begin_imports(r, type_is<typename std::remove_pointer_t<decltype(e)>::parameters>());
    return added(*e);
  } else {
    __builtin_unreachable();
  }
}

}  // namespace detail

}  // namespace baton::BATON_VARIANT::service
