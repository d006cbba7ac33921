// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/log_field.hpp>
#include <baton/components/log_level.hpp>

namespace baton::BATON_VARIANT::components {

/// Writes lines from a level upwards: a text for people, and fields for programs. An interface;
/// `null_logger`, `console_logger`, `json_logger` and `spdlog_logger` implement it.
///
///     here.add<printer>().with("log_level", "debug");
///     printer(required<logger> log) { log->info("starts", {{"pages", 12}, {"tray", name}}); }
///
/// Shape    the lowest level that is written, and the members of an implementation. A line has one
///          text and any number of fields; what they hold cannot begin another line.
/// Context  as a service: its worker's thread.
/// Cost     a comparison if the level is not enabled. `formatted.hpp` formats only enabled lines.
class logger {
 public:
  using fields = std::initializer_list<log_field>;

  logger(const logger&) = delete;
  logger& operator=(const logger&) = delete;
  virtual ~logger() = default;

  bool enabled(level l) const noexcept { return l >= lowest_ && l != level::off; }
  level lowest() const noexcept { return lowest_; }
  /// Sets the lowest level that is written. `off`: nothing is.
  void set_lowest(level l) noexcept { lowest_ = l; }

  /// Writes a line if its level is enabled. Line ends and other control characters of the text are
  /// escaped.
  void log(level l, std::string_view text, fields with = {}) {
    if (enabled(l)) write(l, text, log_fields(with.begin(), with.size()));
  }
  void trace(std::string_view text, fields with = {}) { log(level::trace, text, with); }
  void debug(std::string_view text, fields with = {}) { log(level::debug, text, with); }
  void info(std::string_view text, fields with = {}) { log(level::info, text, with); }
  void warning(std::string_view text, fields with = {}) { log(level::warning, text, with); }
  void error(std::string_view text, fields with = {}) { log(level::error, text, with); }
  void critical(std::string_view text, fields with = {}) { log(level::critical, text, with); }

 protected:
  explicit logger(level lowest) noexcept : lowest_(lowest) {}

 private:
  /// Writes a line of a level that is enabled. An implementation escapes the text and the fields.
  virtual void write(level l, std::string_view text, log_fields with) = 0;

  level lowest_;
};

}  // namespace baton::BATON_VARIANT::components
