// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <variant>

namespace baton::BATON_VARIANT::components {

/// The value of a field: a truth value, a number or a text.
using log_value = std::variant<bool, int64_t, uint64_t, double, std::string_view>;

/// A named value of a log line: `{"bytes", got}`.
///
/// Shape    a view: the name and a text live until the line is written.
struct log_field {
  std::string_view name;
  log_value value;

  constexpr log_field(std::string_view n, bool b) noexcept : name(n), value(b) {}
  template <std::signed_integral I>
  constexpr log_field(std::string_view n, I i) noexcept : name(n), value(static_cast<int64_t>(i)) {}
  template <std::unsigned_integral U>
    requires(!std::same_as<U, bool>)
  constexpr log_field(std::string_view n, U u) noexcept : name(n), value(static_cast<uint64_t>(u)) {}
  template <std::floating_point F>
  constexpr log_field(std::string_view n, F f) noexcept : name(n), value(static_cast<double>(f)) {}
  template <std::convertible_to<std::string_view> Text>
  constexpr log_field(std::string_view n, const Text& t) noexcept : name(n), value(std::string_view{t}) {}
};

/// The fields of a line, in their order.
using log_fields = std::span<const log_field>;

}  // namespace baton::BATON_VARIANT::components
