// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/log_level.hpp>

namespace baton::BATON_VARIANT::components {

/// Writes lines for people, from a level upwards. An interface; `null_logger`, `console_logger` and
/// `spdlog_logger` implement it.
///
///     here.add<printer>().with("log_level", "debug");
///     printer(required<logger> log) { log->info("starts"); }
///
/// Shape    the lowest level that is written, and the members of an implementation.
/// Context  as a service: its worker's thread.
/// Cost     a comparison if the level is not enabled. `formatted.hpp` formats only enabled lines.
class logger {
 public:
  logger(const logger&) = delete;
  logger& operator=(const logger&) = delete;
  virtual ~logger() = default;

  bool enabled(level l) const noexcept { return l >= lowest_ && l != level::off; }
  level lowest() const noexcept { return lowest_; }
  /// Sets the lowest level that is written. `off`: nothing is.
  void set_lowest(level l) noexcept { lowest_ = l; }

  /// Writes a line if its level is enabled. The text has no end of line.
  void log(level l, std::string_view text) {
    if (enabled(l)) write(l, text);
  }
  void trace(std::string_view text) { log(level::trace, text); }
  void debug(std::string_view text) { log(level::debug, text); }
  void info(std::string_view text) { log(level::info, text); }
  void warning(std::string_view text) { log(level::warning, text); }
  void error(std::string_view text) { log(level::error, text); }
  void critical(std::string_view text) { log(level::critical, text); }

 protected:
  explicit logger(level lowest) noexcept : lowest_(lowest) {}

 private:
  virtual void write(level l, std::string_view text) = 0;

  level lowest_;
};

}  // namespace baton::BATON_VARIANT::components
