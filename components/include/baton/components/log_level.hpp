// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace baton::BATON_VARIANT::components {

/// The importance of a log line. `off` is above all lines.
enum class level : uint8_t { trace, debug, info, warning, error, critical, off };

constexpr std::string_view name_of(level l) noexcept {
  constexpr std::string_view names[] = {"trace", "debug", "info", "warning", "error", "critical", "off"};
  return l <= level::off ? names[static_cast<uint8_t>(l)] : std::string_view("?");
}

/// The settings that a logger is constructed with.
struct logger_settings {
  std::string name;             ///< stands in each line; usually a service's name
  std::string lowest = "info";  ///< name of the lowest level that is written

  /// Errors   std::invalid_argument: there is no level of that name. Thrown in a service's
  ///          constructor, it is a start that fails.
  level lowest_level() const {
    for (uint8_t l = 0; l <= static_cast<uint8_t>(level::off); ++l) {
      if (name_of(static_cast<level>(l)) == lowest) return static_cast<level>(l);
    }
    throw std::invalid_argument("the log_level of '" + name + "' is '" + lowest +
                                "'; there are trace, debug, info, warning, error, critical and off");
  }
};

}  // namespace baton::BATON_VARIANT::components
