// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/fields.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace baton::BATON_VARIANT::components {

namespace detail {

/// A visitor that keeps the fields.
struct fields_to_tuple {
  template <typename... Field>
  constexpr auto operator()(const Field&... all) const noexcept {
    return std::tuple<Field...>(all...);
  }
};
template <typename T>
concept visits_fields = requires(fields_to_tuple v) { fields<T>::all(v); };

}  // namespace detail

/// True if a program has specialized `fields` for the type.
template <typename T>
concept has_fields = detail::visits_fields<T> || requires { fields<T>::all; };

namespace detail {

template <typename T>
constexpr bool is_vector = false;
template <typename T>
constexpr bool is_vector<std::vector<T>> = true;
template <typename T>
constexpr bool is_optional = false;
template <typename T>
constexpr bool is_optional<std::optional<T>> = true;
template <typename T>
constexpr bool is_field = false;
template <typename Owner, typename Value>
constexpr bool is_field<field<Owner, Value>> = true;

/// The fields of a struct as a tuple, by whichever form a program has written them.
template <typename T>
constexpr auto fields_of = [] {
  if constexpr (visits_fields<T>) {
    return fields<T>::all(fields_to_tuple());
  } else {
    return fields<T>::all;
  }
}();
template <typename T>
constexpr size_t count_of_fields = std::tuple_size_v<std::remove_cvref_t<decltype(fields_of<T>)>>;

template <typename Owner, typename Value>
constexpr std::string_view name_of(const field<Owner, Value>& f) noexcept {
  return {f.name, f.length};
}

/// Calls `f` for each field of a struct until it returns false. Returns false then.
template <typename T, typename Function>
constexpr bool each_field(Function&& f) {
  return std::apply([&](const auto&... all) { return (f(all) && ...); }, fields_of<T>);
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::components
