// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/logger.hpp>
#include <cstdio>
#include <functional>
#include <utility>

namespace baton::BATON_VARIANT::components {

/// Writes lines such as "warning printer: no paper" to a FILE, standard error by default, or to a
/// function.
///
/// Context  one write per line, so lines of several threads do not mix.
/// Errors   a write that fails loses the line.
class console_logger final : public logger {
 public:
  /// Called with each line, its end of line included.
  using sink = std::function<void(std::string_view line)>;

  explicit console_logger(logger_settings s, std::FILE* to = stderr)
      : console_logger(std::move(s), [to](std::string_view line) {
          static_cast<void>(std::fwrite(line.data(), 1, line.size(), to));
        }) {}
  console_logger(logger_settings s, sink to) : logger(s.lowest_level()), name_(std::move(s.name)), to_(std::move(to)) {}

 private:
  void write(level l, std::string_view text) override {
    line_.assign(components::name_of(l));
    if (!name_.empty()) line_.append(" ").append(name_);
    line_.append(": ").append(text).append("\n");
    to_(line_);
  }

  const std::string name_;
  const sink to_;
  std::string line_;  // kept, so that its memory is used again
};

}  // namespace baton::BATON_VARIANT::components
