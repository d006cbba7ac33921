// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/logger.hpp>
#include <fmt/format.h>
#include <iterator>
#include <utility>

/// Log lines with places for values, in the syntax of the library fmt: `log(*to, level::info, "{}
/// of {}", done, all)`.
namespace baton::BATON_VARIANT::components {

/// Formats a line and writes it if its level is enabled. A format that does not fit its values does
/// not compile.
///
/// Cost     nothing is formatted unless the level is enabled; no heap for a line of up to 500
///          characters.
template <typename... Values>
void log(logger& to, level l, fmt::format_string<Values...> format, Values&&... values) {
  if (!to.enabled(l)) return;
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), format, std::forward<Values>(values)...);
  to.log(l, std::string_view(line.data(), line.size()));
}

}  // namespace baton::BATON_VARIANT::components
