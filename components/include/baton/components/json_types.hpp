// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_fields.hpp>
#include <baton/components/json_utf8.hpp>

/// Checks at compile time that JSON has the types of a struct's fields. Each refusal says what to
/// write instead.
namespace baton::BATON_VARIANT::components::detail {

template <typename T, typename... Others>
constexpr bool is_one_of = (std::is_same_v<T, Others> || ...);

/// An integer that is a number in JSON. `char` is one, as a small integer.
template <typename T>
constexpr bool is_json_integer =
    std::is_integral_v<T> && sizeof(T) <= sizeof(uint64_t) && !is_one_of<T, bool, wchar_t, char8_t, char16_t, char32_t>;

template <typename T>
constexpr bool check_value() {
  if constexpr (is_optional<T>) {
    using inner = typename T::value_type;
    static_assert(!is_optional<inner>, "JSON has one null: keep one std::optional around this type, not two");
    return check_value<inner>();
  } else if constexpr (is_vector<T>) {
    return check_value<typename T::value_type>();
  } else if constexpr (std::is_enum_v<T>) {
    static_assert(!std::is_enum_v<T>, "JSON has no enum: keep an integer or a std::string in the struct, and convert");
  } else if constexpr (std::is_function_v<T>) {
    static_assert(!std::is_function_v<T>, "a field is a data member: name one, not a member function");
  } else if constexpr (std::is_const_v<T>) {
    static_assert(!std::is_const_v<T>,
                  "a const member cannot be read: take `const` away from it, or leave it out of fields");
  } else if constexpr (std::is_pointer_v<T> || std::is_array_v<T>) {
    static_assert(!std::is_pointer_v<T> && !std::is_array_v<T>,
                  "JSON has no pointer and no array of C: use std::string, std::vector or std::optional");
  } else if constexpr (std::is_arithmetic_v<T>) {
    static_assert(is_one_of<T, bool, float, double> || is_json_integer<T>,
                  "JSON has no such number: use bool, an integer of at most 64 bits, float or double");
  } else {
    static_assert(
        std::is_same_v<T, std::string> || has_fields<T>,
        "specialize baton::components::fields for this struct (baton/components/fields.hpp shows how); of the "
        "standard types JSON has std::string, std::vector and std::optional alone");
  }
  return true;
}

/// True if each field has another name.
template <typename T>
constexpr bool names_differ() {
  bool is_good = true;
  size_t i = 0;
  each_field<T>([&](const auto& one) {
    size_t k = 0;
    each_field<T>([&](const auto& other) {
      if (k++ < i && name_of(other) == name_of(one)) is_good = false;
      return k < i && is_good;
    });
    ++i;
    return is_good;
  });
  return is_good;
}
template <typename T>
constexpr bool names_are_utf8() {
  return each_field<T>([](const auto& f) { return is_utf8(name_of(f)); });
}

template <typename T, typename Field>
constexpr bool check_field() {
  static_assert(is_field<Field>, "each element of fields<T>::all is to be a field: field{\"name\", &type::member}");
  if constexpr (is_field<Field>) {
    static_assert(std::is_base_of_v<typename Field::owner, T>,
                  "this field is another struct's: name a member of this one");
    return check_value<typename Field::value>();
  }
  return true;
}
template <typename T, typename... Field>
constexpr bool check_all(const std::tuple<Field...>*) {
  return (check_field<T, Field>() && ...);
}

/// True; does not compile for a type whose fields are not in JSON.
template <typename T>
constexpr bool check_fields() {
  static_assert(has_fields<T>,
                "specialize baton::components::fields for this type: baton/components/fields.hpp shows how");
  if constexpr (has_fields<T>) {
    using all = std::remove_cvref_t<decltype(fields_of<T>)>;
    if constexpr (check_all<T>(static_cast<const all*>(nullptr))) {
      static_assert(names_differ<T>(), "two fields of this struct have one name: give each another");
      static_assert(names_are_utf8<T>(), "the name of a field is to be UTF-8");
    }
  }
  return true;
}

}  // namespace baton::BATON_VARIANT::components::detail
