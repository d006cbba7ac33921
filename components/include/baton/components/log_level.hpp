// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace baton::BATON_VARIANT::components {

/// How important a line of a log is. `off` is above all of them.
enum class level : uint8_t { trace, debug, info, warning, error, critical, off };

constexpr std::string_view name_of(level l) noexcept {
  constexpr std::string_view names[] = {"trace", "debug", "info", "warning", "error", "critical", "off"};
  return l <= level::off ? names[static_cast<uint8_t>(l)] : std::string_view("?");
}

/// What a logger is made with.
struct logger_settings {
  std::string name;             ///< of whom the lines are
  std::string lowest = "info";  ///< the name of a level: what is below is not written

  /// Errors   std::invalid_argument: there is no level of that name. In a service's constructor that is a start that fails.
  level lowest_level() const {
    for (uint8_t l = 0; l <= static_cast<uint8_t>(level::off); ++l) {
      if (name_of(static_cast<level>(l)) == lowest) return static_cast<level>(l);
    }
    throw std::invalid_argument("the log_level of '" + name + "' is '" + lowest +
                                "'; there are trace, debug, info, warning, error, critical and off");
  }
};

}  // namespace baton::BATON_VARIANT::components
