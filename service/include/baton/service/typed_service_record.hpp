// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <baton/async/with_frame.hpp>
#include <baton/service/injection.hpp>
#include <baton/service/is_task.hpp>
#include <baton/service/service_memory.hpp>
#include <baton/service/service_record.hpp>
#include <optional>
#include <stdexcept>

/// The registry's constants for a type of service, made from the type.
namespace baton::BATON_VARIANT::service {

/// Thrown when a `start()` or a `stop()` returns `false`.
struct start_refused : std::runtime_error {
  start_refused() : std::runtime_error("start() or stop() returned false") {}
};

/// Thrown when a service of `context::add_once` would start again.
struct started_before : std::logic_error {
  started_before() : std::logic_error("it was added for one start, which has been") {}
};

namespace detail {

template <typename Context>
Context context_of(service_record&) noexcept;

template <typename Service, typename Parameter>
constexpr dependency dependency_of() {
  using interface = typename parameter_need<Parameter>::interface;
  dependency d{0,      parameter_need<Parameter>::kind, name_of<interface>(), parameter_need<Parameter>::named, nullptr,
               nullptr};
  if constexpr (requires(Service& s, interface& i) { s.arrived(i); }) {
    d.arrived = [](void* s, void* i) { static_cast<Service*>(s)->arrived(*static_cast<interface*>(i)); };
  }
  if constexpr (requires(Service& s, interface& i) { s.gone(i); }) {
    d.gone = [](void* s, void* i) { static_cast<Service*>(s)->gone(*static_cast<interface*>(i)); };
  }
  return d;
}

/// The slot of parameter `Index`: the number of dependencies before it.
template <typename Parameters, size_t Index>
constexpr size_t slot_of() {
  return []<size_t... Before>(std::index_sequence<Before...>) {
    return (size_t{0} + ... + size_t{parameter_need<std::tuple_element_t<Before, Parameters>>::is_dependency});
  }(std::make_index_sequence<Index>());
}

template <typename Parameter>
Parameter injected(service_record& e, size_t at) {
  if constexpr (!parameter_need<Parameter>::is_dependency) {
    return context_of<Parameter>(e);
  } else if constexpr (std::is_constructible_v<Parameter, slot&>) {
    return Parameter(e.slots[at]);
  } else {
    return Parameter(*static_cast<typename parameter_need<Parameter>::interface*>(e.slots[at].first->object));
  }
}

/// Turns the result of a hook into an exception: `false` is a failure.
template <typename Hook>
void called(Hook&& hook) {
  if constexpr (std::is_void_v<decltype(hook())>) {
    hook();
  } else {
    if (!hook()) throw start_refused();
  }
}
template <typename Result>
async::task<> awaited(async::task<Result> hook) {
  if constexpr (std::is_void_v<Result>) {
    co_await async::with_frame(std::move(hook));
  } else {
    const Result ended = co_await async::with_frame(std::move(hook));
    if (!ended) throw start_refused();
  }
}

/// The number of starts that a service's arguments are for: each gets a copy, or the only one gets
/// them.
enum class starts : uint8_t { any, one };
/// The argument that a constructor gets.
template <starts Starts, typename Argument>
using passed = std::conditional_t<Starts == starts::one, Argument&&, const Argument&>;

/// A service record with the arguments of its constructor and the object, in one piece of memory.
template <typename Service, typename Interfaces, starts Starts, typename... Arguments>
struct typed_service_record final : service_record {
  using parameters = typename parameters_of<Service, passed<Starts, Arguments>...>::type;
  static constexpr size_t parameter_count = std::tuple_size_v<parameters>;
  static constexpr size_t slot_count = slot_of<parameters, parameter_count>();
  static constexpr size_t interface_count = std::tuple_size_v<Interfaces>;

  template <typename... Given>
  explicit typed_service_record(registry& r, Given&&... g)
      : service_record(type_of(), r), arguments_(std::tuple<Arguments...>(std::forward<Given>(g)...)) {
    slots = own_slots_.data();
    provided_interfaces = own_provided_interfaces_.data();
  }

  // In its worker's memory, unless it is too large or too strictly aligned.
  static void* operator new(size_t bytes, registry& r) {
    if constexpr (lies_in_chunks()) return memory_of(r).take(bytes);
    return ::operator new(bytes, static_cast<std::align_val_t>(alignof(typed_service_record)));
  }
  static void operator delete(void* memory, registry& r) noexcept { give_back(memory, r); }

  static typed_service_record& of(service_record& e) noexcept { return static_cast<typed_service_record&>(e); }
  Service& service() noexcept { return *std::launder(reinterpret_cast<Service*>(bytes_)); }

  static const service_type& type_of() {
    static const std::array<dependency, slot_count> needs = make_needs(std::make_index_sequence<parameter_count>());
    static const std::array<implemented_interface, interface_count> provides =
        make_provides(std::make_index_sequence<interface_count>());
    static const service_type all{
        name_of<Service>(),   needs,       provides,          &construct,       &destroy_object,
        start_hook(),         stop_hook(), start_task_hook(), stop_task_hook(), &free_it,
        type_made_by<Service>};
    return all;
  }

 private:
  template <size_t... Index>
  static auto make_needs(std::index_sequence<Index...>) {
    std::array<dependency, slot_count> all{};
    (make_need<Index>(all), ...);
    return all;
  }
  template <size_t Index>
  static void make_need(std::array<dependency, slot_count>& all) {
    using parameter = std::tuple_element_t<Index, parameters>;
    if constexpr (parameter_need<parameter>::is_dependency) {
      dependency& d = all[slot_of<parameters, Index>()];
      d = dependency_of<Service, parameter>();
      d.of = id_of_interface<typename parameter_need<parameter>::interface>;
    }
  }
  template <size_t... Index>
  static std::array<implemented_interface, interface_count> make_provides(std::index_sequence<Index...>) {
    return {implemented<typename std::tuple_element_t<Index, Interfaces>::type>()...};
  }
  template <typename Interface>
  static implemented_interface implemented() {
    return {id_of_interface<Interface>, name_of<Interface>(), &as<Interface>};
  }
  template <typename Interface>
  static void* as(void* service) noexcept {
    return static_cast<Interface*>(static_cast<Service*>(service));
  }

  static void construct(service_record& e) {
    std::tuple<Arguments...>* from = nullptr;
    [[maybe_unused]] std::optional<std::tuple<Arguments...>> only;
    if constexpr (Starts == starts::one) {
      only.swap(of(e).arguments_);
      if (!only) throw started_before();
      from = &*only;
    } else {
      from = &of(e).arguments_;
    }
    construct(of(e), *from, std::make_index_sequence<parameter_count>(), std::index_sequence_for<Arguments...>());
  }
  template <size_t... Index, size_t... Argument>
  static void construct(typed_service_record& e, std::tuple<Arguments...>& from, std::index_sequence<Index...>,
                        std::index_sequence<Argument...>) {
    e.object = ::new (static_cast<void*>(e.bytes_))
        Service(injected<std::tuple_element_t<Index, parameters>>(e, slot_of<parameters, Index>())...,
                static_cast<passed<Starts, Arguments>>(std::get<Argument>(from))...);
  }
  static void destroy_object(service_record& e) noexcept {
    of(e).service().~Service();
    e.object = nullptr;
    if constexpr (Starts == starts::one) e.is_enabled = false;
  }
  static void free_it(service_record& e) noexcept {
    registry& r = *e.owning_registry;
    typed_service_record& self = of(e);
    self.~typed_service_record();
    give_back(&self, r);
  }
  static void give_back(void* memory, registry& r) noexcept {
    if constexpr (lies_in_chunks()) return memory_of(r).give(memory, sizeof(typed_service_record));
    ::operator delete(memory, static_cast<std::align_val_t>(alignof(typed_service_record)));
  }
  static constexpr bool lies_in_chunks() {
    // The result depends on the service. NOLINTNEXTLINE(misc-redundant-expression)
    return sizeof(typed_service_record) <= service_memory::largest &&
           alignof(typed_service_record) <= service_memory::step;
  }

  // A hook is a member function that returns nothing, a `bool` that says success, or a task of
  // either.
  using function = void (*)(service_record&);
  using coroutine = async::task<> (*)(service_record&);
  static constexpr function start_hook() {
    if constexpr (requires(Service& s) { s.start(); }) {
      if constexpr (!is_task<decltype(std::declval<Service&>().start())>) {
        return [](service_record& e) { called([&] { return of(e).service().start(); }); };
      }
    }
    return nullptr;
  }
  static constexpr coroutine start_task_hook() {
    if constexpr (requires(Service& s) { s.start(); }) {
      if constexpr (is_task<decltype(std::declval<Service&>().start())>) {
        return [](service_record& e) { return awaited(of(e).service().start()); };
      }
    }
    return nullptr;
  }
  static constexpr function stop_hook() {
    if constexpr (requires(Service& s) { s.stop(); }) {
      if constexpr (!is_task<decltype(std::declval<Service&>().stop())>) {
        return [](service_record& e) { called([&] { return of(e).service().stop(); }); };
      }
    }
    return nullptr;
  }
  static constexpr coroutine stop_task_hook() {
    if constexpr (requires(Service& s) { s.stop(); }) {
      if constexpr (is_task<decltype(std::declval<Service&>().stop())>) {
        return [](service_record& e) { return awaited(of(e).service().stop()); };
      }
    }
    return nullptr;
  }

  std::array<slot, slot_count> own_slots_{};
  std::array<provided_interface, interface_count> own_provided_interfaces_{};
  std::conditional_t<Starts == starts::one, std::optional<std::tuple<Arguments...>>, std::tuple<Arguments...>>
      arguments_;
  alignas(Service) std::byte bytes_[sizeof(Service)];
};

/// The interfaces that a service provides: those named, or itself.
template <typename Service, typename... Interfaces>
using provides =
    std::conditional_t<sizeof...(Interfaces) == 0, std::tuple<type_is<Service>>, std::tuple<type_is<Interfaces>...>>;

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
