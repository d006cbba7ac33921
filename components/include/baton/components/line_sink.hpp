// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <concepts>
#include <cstdio>
#include <functional>
#include <string_view>
#include <utility>

namespace baton::BATON_VARIANT::components {

/// Takes the lines of a logger, each with its end of line: a FILE, or a function that is called
/// with each.
///
/// Errors   a write to a FILE that fails loses the line.
class line_sink {
 public:
  line_sink(std::FILE* to)  // NOLINT(google-explicit-constructor): an argument of a logger
      : to_([to](std::string_view line) { static_cast<void>(std::fwrite(line.data(), 1, line.size(), to)); }) {}
  template <std::invocable<std::string_view> Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, line_sink>)
  line_sink(Function to) : to_(std::move(to)) {}  // NOLINT(google-explicit-constructor): as above

  void operator()(std::string_view line) const { to_(line); }

 private:
  std::function<void(std::string_view)> to_;
};

}  // namespace baton::BATON_VARIANT::components
