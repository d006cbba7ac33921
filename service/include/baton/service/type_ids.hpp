// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/core/variant.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

/// Numbers and names for types: dense numbers, so that a table is an array.
namespace baton::BATON_VARIANT::service {

namespace detail {

template <typename T>
constexpr auto signature() noexcept {
  return std::string_view(__PRETTY_FUNCTION__);
}

/// The name of a type as the source has it: g++ writes the inline namespace of Baton's own types, too.
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

/// The name of a type as the source has it, for messages: "shop::cart".
template <typename T>
constexpr std::string_view name_of() noexcept {
  return {detail::source_name<T>::kept.text, detail::source_name<T>::kept.size};
}

namespace detail {

using event_id = uint16_t;
using interface_id = uint32_t;

class dispatcher;
struct event_header;

/// What is known of a type of event wherever it is pushed.
struct event_type {
  std::string_view name;
  void (*act)(dispatcher&, event_header&, void* event);  // in place of its handlers; null: its handlers hear it
  void (*destroy)(void* event) noexcept;                 // null: there is nothing to destroy
  bool is_own;                                           // of the worker itself: nobody misses it
};
struct interface_type {
  std::string_view name;
};

/// A number for each type that comes up, and what is known of it, on whatever thread.
///
/// Shape    the table is as long as there can be numbers, in memory that is not touched beyond those in use.
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

/// An event that has an act of its own says so: `static void act(dispatcher&, event_header&, void*)`.
template <typename Event>
concept has_act = requires { Event::act; };

/// One of the worker itself says so: `static constexpr bool is_own = true`.
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

/// From 1, in the order in which the program's types come up; 0 is no type.
template <typename Event>
inline const event_id id_of_event = event_numbers::next(type_of_event<Event>);
template <typename Interface>
inline const interface_id id_of_interface = interface_numbers::next(type_of_interface<Interface>);

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
