// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/line_text.hpp>
#include <baton/components/logger.hpp>
#include <memory>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <utility>

namespace baton::BATON_VARIANT::components {

/// Writes through spdlog: its sinks, patterns and files. Text and fields are those of
/// `console_logger`; the time and the level are the pattern's.
///
/// Shape    a logger that is not in spdlog's registry, so that two of one name do not collide.
///          Loggers share the sink that they are given.
/// Context  a sink of the kind `_mt` may be shared by workers.
/// Errors   a sink's failure goes to spdlog's error handler.
class spdlog_logger final : public logger {
 public:
  explicit spdlog_logger(const logger_settings& s)
      : spdlog_logger(s, std::make_shared<spdlog::sinks::stderr_sink_mt>()) {}
  spdlog_logger(const logger_settings& s, spdlog::sink_ptr to) : logger(s.lowest_level()), to_(s.name, std::move(to)) {
    to_.set_level(spdlog::level::trace);  // `write` gets enabled lines only
  }
  ~spdlog_logger() override { to_.flush(); }

  /// The logger of spdlog, for its pattern and its flushing.
  spdlog::logger& native() noexcept { return to_; }

 private:
  static spdlog::level::level_enum native(level l) noexcept {
    static_assert(static_cast<int>(level::trace) == SPDLOG_LEVEL_TRACE &&
                  static_cast<int>(level::critical) == SPDLOG_LEVEL_CRITICAL);
    return static_cast<spdlog::level::level_enum>(l);
  }
  void write(level l, std::string_view text, log_fields with) override {
    line_.clear();
    append_line_text(line_, text);
    append_fields(line_, with);
    to_.log(native(l), spdlog::string_view_t(line_));
  }

  spdlog::logger to_;
  std::string line_;  // kept, so that its memory is used again
};

}  // namespace baton::BATON_VARIANT::components
