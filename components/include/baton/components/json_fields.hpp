// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace baton::BATON_VARIANT::components {

/// A member of a struct, with its name in JSON.
template <typename Owner, typename Value>
struct field {
  using owner = Owner;
  using value = Value;

  std::string_view name;
  Value Owner::*at;
};
template <typename Owner, typename Value>
field(const char*, Value Owner::*) -> field<Owner, Value>;

/// The members of a struct that are in JSON. A program specializes it for each of its types:
///
///     template <>
///     struct baton::components::fields<message> {
///       static constexpr auto all =
///           std::tuple{field{"name", &message::name}, field{"to", &message::to}};
///     };
///
/// Shape    a member is a bool, an integer, a float or double, a std::string, a struct that has
///          fields, or a std::vector or std::optional of these.
template <typename T>
struct fields;

template <typename T>
concept has_fields = requires { fields<T>::all; };

namespace detail {

template <typename T>
constexpr bool is_vector = false;
template <typename T>
constexpr bool is_vector<std::vector<T>> = true;
template <typename T>
constexpr bool is_optional = false;
template <typename T>
constexpr bool is_optional<std::optional<T>> = true;

/// Calls `f` for each field of a struct until it returns false. Returns false then.
template <typename T, typename Function>
constexpr bool each_field(Function&& f) {
  return std::apply([&](const auto&... all) { return (f(all) && ...); }, fields<T>::all);
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::components
