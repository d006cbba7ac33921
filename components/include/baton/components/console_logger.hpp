// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/line_sink.hpp>
#include <baton/components/line_text.hpp>
#include <baton/components/log_time.hpp>
#include <baton/components/logger.hpp>

namespace baton::BATON_VARIANT::components {

/// Writes lines for people, such as `warning printer: no paper tray=2`, to a FILE, standard error
/// by default, or to a function. With `utc_time` the time of day stands in front.
///
///     app.add<logger_factory<console_logger>>(stdout, utc_time);
///
/// Shape    level, service, text and fields; `append_line_text` and `append_fields` say what is
///          escaped.
/// Context  one write per line, so lines of several threads do not mix.
/// Errors   a write that fails loses the line.
class console_logger final : public logger {
 public:
  explicit console_logger(logger_settings s, line_sink to = stderr, log_clock now = no_time)
      : logger(s.lowest_level()), name_(std::move(s.name)), to_(std::move(to)), now_(now) {}

 private:
  void write(level l, std::string_view text, log_fields with) override {
    line_ = now_();
    if (!line_.empty()) line_ += ' ';
    line_ += components::name_of(l);
    if (!name_.empty()) append_line_text(line_ += ' ', name_);
    append_line_text(line_ += ": ", text);
    append_fields(line_, with);
    to_(line_ += '\n');
  }

  const std::string name_;
  const line_sink to_;
  const log_clock now_;
  std::string line_;  // kept, so that its memory is used again
};

}  // namespace baton::BATON_VARIANT::components
