// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <stddef.h>

namespace baton {
inline namespace BATON_VARIANT_NAME {
namespace components {

/// A member of a struct, with its name in JSON.
///
/// Shape    `name` is a literal, or lives as long; UTF-8, of any length.
template <typename Owner, typename Value>
struct field {
  using owner = Owner;
  using value = Value;

  constexpr field(const char* its_name, Value Owner::*member) noexcept : name(its_name), length(0), at(member) {
    while (name[length] != '\0') ++length;
  }

  const char* name;
  size_t length;
  Value Owner::*at;
};

/// Makes a field, also below C++17.
template <typename Owner, typename Value>
constexpr field<Owner, Value> make_field(const char* name, Value Owner::*member) noexcept {
  return field<Owner, Value>(name, member);
}

/// The members of a struct that are in JSON. A program specializes it for each of its types, by a
/// function that hands all fields to a visitor at once:
///
///     template <>
///     struct baton::components::fields<message> {
///       template <typename Visitor>
///       static constexpr auto all(Visitor visit) {
///         return visit(make_field("name", &message::name), make_field("to", &message::to));
///       }
///     };
///
/// or, in C++20, by a tuple, which says the same:
///
///     template <>
///     struct baton::components::fields<message> {
///       static constexpr auto all =
///           std::tuple{field{"name", &message::name}, field{"to", &message::to}};
///     };
///
/// Shape    a member is a bool, an integer, a float or double, a std::string, a struct that has
///          fields, or a std::vector or std::optional of these. A struct with private members names
///          its `fields` as a friend. This header is C++14.
/// Source   docs/decisions/0041-json-over-fields.md.
template <typename T>
struct fields;

}  // namespace components
}  // namespace BATON_VARIANT_NAME
}  // namespace baton
