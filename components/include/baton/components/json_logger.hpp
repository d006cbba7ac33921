// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_text.hpp>
#include <baton/components/line_sink.hpp>
#include <baton/components/log_time.hpp>
#include <baton/components/logger.hpp>
#include <baton/components/utf8.hpp>
#include <cmath>

namespace baton::BATON_VARIANT::components {

/// Writes each line as one object of JSON, for programs that collect logs:
/// `{"time":"2026-11-28T07:15:02.123Z","level":"info","service":"printer","text":"on","tray":2}`.
///
///     app.add<logger_factory<json_logger>>(stdout);
///
/// Shape    the members `time`, `level`, `service` and `text`, then the fields in their order. A
///          field of one of these names has a `_` behind it. A number that is not finite is null.
///          Bytes that are no UTF-8 become U+FFFD.
/// Context  one write per line, so lines of several threads do not mix.
/// Errors   a write that fails loses the line.
class json_logger final : public logger {
 public:
  explicit json_logger(logger_settings s, line_sink to = stderr, log_clock now = utc_time)
      : logger(s.lowest_level()), name_(std::move(s.name)), to_(std::move(to)), now_(now) {}

 private:
  void write(level l, std::string_view text, log_fields with) override {
    json_text line;
    line.begin_object();
    if (const std::string time = now_(); !time.empty()) put(line, "time", time);
    put(line, "level", components::name_of(l));
    if (!name_.empty()) put(line, "service", name_);
    put(line, "text", text);
    for (const log_field& f : with) {
      line.key(field_name(f.name));
      std::visit([&](const auto& v) { put_value(line, v); }, f.value);
    }
    line.end_object();
    to_(std::move(line).str() + '\n');
  }

  static void put(json_text& line, std::string_view name, std::string_view text) {
    line.key(name);
    put_value(line, text);
  }
  static void put_value(json_text& line, std::string_view text) { line.text(as_utf8(text)); }
  static void put_value(json_text& line, bool b) { line.boolean(b); }
  static void put_value(json_text& line, double n) { std::isfinite(n) ? line.number(n) : line.null(); }
  static void put_value(json_text& line, int64_t n) { line.number(n); }
  static void put_value(json_text& line, uint64_t n) { line.number(n); }

  static std::string field_name(std::string_view name) {
    std::string all = as_utf8(name);
    if (all == "time" || all == "level" || all == "service" || all == "text") all += '_';
    return all;
  }
  static std::string as_utf8(std::string_view text) {
    std::string all;
    while (!text.empty()) {
      const size_t bytes = first_character(text).bytes;
      all += bytes == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, bytes);
      text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return all;
  }

  const std::string name_;
  const line_sink to_;
  const log_clock now_;
};

}  // namespace baton::BATON_VARIANT::components
