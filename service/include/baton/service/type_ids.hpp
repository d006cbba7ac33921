// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/core/variant.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

/// Dense numbers for types, so that a table of types is an array, and their names.
namespace baton::BATON_VARIANT::service {

namespace detail {

template <typename T>
constexpr auto signature() noexcept {
  return std::string_view(__PRETTY_FUNCTION__);
}

/// The name of a type in the source, without the inline namespace that g++ writes into the names of
/// Baton's types.
template <typename T>
struct source_name {
  static constexpr std::string_view given = [] {
    constexpr std::string_view all = signature<T>();
    constexpr size_t begin = all.find("T = ") + 4;
    return all.substr(begin, all.rfind(']') - begin);
  }();
  struct copy {
    char text[given.size()];
    size_t size;
  };
  static constexpr copy kept = [] {
    constexpr std::string_view baton = "baton::", variant = BATON_VARIANT_TEXT "::";
    copy to{};
    for (size_t i = 0; i != given.size(); ++i) {
      if (given.substr(0, i).ends_with(baton) && given.substr(i).starts_with(variant)) i += variant.size();
      to.text[to.size++] = given[i];
    }
    return to;
  }();
};

}  // namespace detail

/// The name of a type in the source, for messages: "shop::cart".
template <typename T>
constexpr std::string_view name_of() noexcept {
  return {detail::source_name<T>::kept.text, detail::source_name<T>::kept.size};
}

namespace detail {

using event_id = uint16_t;
using interface_id = uint32_t;

class dispatcher;
struct event_header;

/// The constants of a type of event, the same in all workers.
struct event_type {
  std::string_view name;
  void (*act)(dispatcher&, event_header&, void* event);  // called in place of the handlers, unless it is null
  void (*destroy)(void* event) noexcept;                 // null: nothing has to be destroyed
  bool is_own;                                           // the worker's own event: its loss is not counted
};
struct interface_type {
  std::string_view name;
};

/// A number for each type that is used, and its constants. Any thread may ask.
///
/// Shape    the table has room for all numbers that there can be; the system backs only the part in
///          use.
template <typename Number, typename Type>
class numbering {
 public:
  static Number next(const Type& type) noexcept {
    const Number n = static_cast<Number>(last.fetch_add(1, std::memory_order_relaxed) + 1);
    types[n % size].store(&type, std::memory_order_release);
    return n;
  }
  static const Type& type(Number n) noexcept {
    const Type* const found = types[n % size].load(std::memory_order_acquire);
    return found ? *found : unknown;
  }

 private:
  static constexpr size_t size = size_t{1} << 16;
  static constexpr Type unknown{};
  static inline std::atomic<Number> last{0};
  static inline std::atomic<const Type*> types[size];
};
using event_numbers = numbering<event_id, event_type>;
using interface_numbers = numbering<interface_id, interface_type>;

/// True if the event has an act of its own: `static void act(dispatcher&, event_header&, void*)`.
template <typename Event>
concept has_act = requires { Event::act; };

/// True if the event is the worker's own: `static constexpr bool is_own = true`.
template <typename Event>
concept has_is_own = requires { Event::is_own; };

template <typename Event>
constexpr event_type make_event_type() noexcept {
  event_type t{name_of<Event>(), nullptr, nullptr, has_is_own<Event>};
  if constexpr (has_act<Event>) t.act = &Event::act;
  if constexpr (!std::is_trivially_destructible_v<Event>) {
    t.destroy = [](void* e) noexcept { static_cast<Event*>(e)->~Event(); };
  }
  return t;
}
template <typename Event>
inline constexpr event_type type_of_event = make_event_type<Event>();
template <typename Interface>
inline constexpr interface_type type_of_interface{name_of<Interface>()};

/// True if the header of a type is included.
template <typename T>
concept included = requires { sizeof(T); };

/// Numbers count from 1, in the order of the types' first use; 0 is no type.
template <typename Event>
inline const event_id id_of_event = event_numbers::next(type_of_event<Event>);
template <typename Interface>
inline const interface_id id_of_interface = interface_numbers::next(type_of_interface<Interface>);

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
