// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/script_event.hpp>
#include <baton/devices/script_word.hpp>
#include <stddef.h>
#include <stdint.h>

namespace baton {
namespace devices {

/// Reads a script, line by line: what pins, converters and serial lines get from outside, and what
/// the program has to do. docs/device-scripts.md has the format.
///
/// Shape    a cursor in a text that must live as long; no heap.
/// Errors   the first line that is not understood ends the script: `error()` says why, `line()` and
///          `column()`, which count from 1, say where.
/// Source   own design; emulators/runner/script.py reads the same, and devices/tests/script_fuzz.py
///          compares the two.
class script_reader {
 public:
  static constexpr uint32_t longest_us = 3600000000u;
  static constexpr uint16_t most_events = 512;

  script_reader(const char* text, size_t length) : at_(text), end_(text + length), line_begin_(text) {}

  /// Reads the next event; returns false at the end of the script and at an error.
  bool next(script_event& event) {
    while (!error_ && !is_done_) {
      skip();
      const bool is_event = !is_over();
      if (is_event) read(event);
      if (error_) break;
      end_line();
      if (is_event) return true;
    }
    return false;
  }

  /// The reason why the script is not understood; null if it is.
  const char* error() const { return error_; }
  uint32_t line() const { return line_; }
  uint32_t column() const { return column_; }

 private:
  using word = detail::script_word;

  void read(script_event& event) {
    const char* const begin = at_;
    event = script_event();
    event.line = line_;
    event.at_us = time();
    if (!error_ && event.at_us < before_us_) fail(begin, "earlier than the event before");
    if (!error_) action(event);
    if (error_) return;
    skip();
    if (!is_over()) return fail(at_, "the event is complete here");
    if (events_++ == most_events) return fail(line_begin_, "a script has at most 512 events");
    before_us_ = event.at_us;
  }

  void action(script_event& event) {
    const word what = next_word();
    if (what.is("pin")) {
      event.kind = script_kind::pin;
      name_and_level(event);
    } else if (what.is("adc")) {
      event.kind = script_kind::adc;
      name(event);
      if (!error_) event.value = percent();
    } else if (what.is("uart")) {
      event.kind = script_kind::uart;
      bytes(event);
    } else if (what.is("expect")) {
      expectation(event);
    } else {
      fail(what.begin, "expected pin, adc, uart or expect");
    }
  }

  void expectation(script_event& event) {
    const word what = next_word();
    if (what.is("pin")) {
      event.kind = script_kind::expect_pin;
      name_and_level(event);
    } else if (what.is("uart")) {
      event.kind = script_kind::expect_uart;
      bytes(event);
    } else if (what.is("silence")) {
      event.kind = script_kind::expect_silence;
    } else {
      fail(what.begin, "expected pin, uart or silence");
    }
    if (error_) return;
    const bool is_silence = event.kind == script_kind::expect_silence;
    const word preposition = next_word();
    if (!preposition.is(is_silence ? "for" : "within")) {
      return fail(preposition.begin, is_silence ? "expected for" : "expected within");
    }
    skip();
    const char* const begin = at_;
    event.within_us = duration();
    if (!error_ && event.within_us > longest_us - event.at_us) fail(begin, too_long());
  }

  // ---- words ----

  uint32_t time() {
    const char* const begin = at_;
    const bool is_relative = *at_ == '+';
    if (is_relative) ++at_;
    const uint32_t length = duration();
    if (error_ || !is_relative) return length;
    if (length > longest_us - before_us_) {
      fail(begin, too_long());
      return 0;
    }
    return before_us_ + length;
  }

  uint32_t duration() {
    const word text = take_word();
    uint64_t length = 0;
    size_t digits = 0;
    for (; digits < text.length && detail::is_digit(text.begin[digits]); ++digits) {
      if (digits < 10) length = length * 10 + static_cast<uint8_t>(text.begin[digits] - '0');
    }
    const word unit = {text.begin + digits, text.length - digits};
    const uint32_t us = unit.is("us") ? 1 : unit.is("ms") ? 1000 : unit.is("s") ? 1000000 : 0;
    if (!digits || digits > 10 || !us) {
      fail(text.begin, "expected a time, such as 250us, 20ms or 3s");
    } else if (length * us > longest_us) {
      fail(text.begin, too_long());
    }
    return error_ ? 0 : static_cast<uint32_t>(length * us);
  }

  void name_and_level(script_event& event) {
    name(event);
    if (error_) return;
    const word level = next_word();
    event.value = level.is("high");
    if (!event.value && !level.is("low")) fail(level.begin, "expected low or high");
  }

  void name(script_event& event) {
    const word text = next_word();
    bool good = text.length != 0 && text.length <= script_event::longest_name && detail::is_small(text.begin[0]);
    for (size_t i = 0; good && i < text.length; ++i) {
      event.name[i] = text.begin[i];
      good = detail::is_small(text.begin[i]) || detail::is_digit(text.begin[i]) || text.begin[i] == '_';
    }
    if (!good) fail(text.begin, "expected a name: a small letter, then small letters, digits and _, at most 16");
  }

  uint8_t percent() {
    const word text = next_word();
    uint16_t value = 0;
    bool good = text.length >= 2 && text.length <= 4 && text.begin[text.length - 1] == '%';
    for (size_t i = 0; good && i + 1 < text.length; ++i) {
      good = detail::is_digit(text.begin[i]);
      value = static_cast<uint16_t>(value * 10 + (text.begin[i] - '0'));
    }
    if (!good || value > 100) fail(text.begin, "expected a part of the full scale, 0% to 100%");
    return static_cast<uint8_t>(value);
  }

  // ---- bytes ----

  void bytes(script_event& event) {
    skip();
    const char* const begin = at_;
    uint32_t count = 0;
    while (!error_ && !is_over() && take_bytes(event, count)) {
      if (!error_ && count > script_event::most_bytes) fail(begin, "a line has at most 64 bytes");
      skip();
    }
    if (!error_ && !count) fail(begin, "expected bytes: \"text\", or two hexadecimal digits for each");
    event.length = static_cast<uint8_t>(count);
  }

  bool take_bytes(script_event& event, uint32_t& count) {
    if (*at_ == '"') {
      text(event, count);
      return true;
    }
    const word digits = take_word();
    if (digits.length == 2 && detail::hex_value(digits.begin[0]) >= 0 && detail::hex_value(digits.begin[1]) >= 0) {
      add(event, count, detail::hex_value(digits.begin[0]) << 4 | detail::hex_value(digits.begin[1]));
      return true;
    }
    at_ = digits.begin;
    return false;
  }

  void text(script_event& event, uint32_t& count) {
    const char* const begin = at_++;
    while (!is_line_end() && *at_ != '"') {
      const uint8_t byte = static_cast<uint8_t>(*at_);
      if (byte == '\\') {
        const int escaped = escape();
        if (error_) return;
        add(event, count, escaped);
        continue;
      }
      if (byte < ' ' || byte == 0x7f) return fail(at_, "a control character in a text: write it as an escape");
      add(event, count, byte);
      ++at_;
    }
    if (is_line_end()) return fail(begin, "a text without its closing \"");
    ++at_;
  }

  int escape() {
    const char* const begin = at_;
    const size_t rest = static_cast<size_t>(line_end() - at_);
    if (rest >= 4 && at_[1] == 'x' && detail::hex_value(at_[2]) >= 0 && detail::hex_value(at_[3]) >= 0) {
      at_ += 4;
      return detail::hex_value(begin[2]) << 4 | detail::hex_value(begin[3]);
    }
    static constexpr struct {
      char name, byte;
    } escapes[] = {{'n', '\n'}, {'r', '\r'}, {'t', '\t'}, {'\\', '\\'}, {'"', '"'}};
    at_ += 2;
    for (const auto& each : escapes) {
      if (rest >= 2 && each.name == begin[1]) return each.byte;
    }
    fail(begin, "unknown escape: there are \\n \\r \\t \\\\ \\\" \\xHH");
    return 0;
  }

  static void add(script_event& event, uint32_t& count, int byte) {
    if (count < script_event::most_bytes) event.data[count] = static_cast<uint8_t>(byte);
    ++count;
  }

  // ---- characters ----

  static const char* too_long() { return "a script lasts at most 3600 s"; }
  bool is_line_end() const { return at_ == end_ || *at_ == '\n'; }
  bool is_over() const { return is_line_end() || *at_ == '#'; }
  void skip() {
    while (!is_line_end() && detail::is_blank(*at_)) ++at_;
  }
  const char* line_end() const {
    const char* at = at_;
    while (at != end_ && *at != '\n') ++at;
    return at;
  }

  word next_word() {
    skip();
    return take_word();
  }

  word take_word() {
    const char* const begin = at_;
    while (!is_over() && !detail::is_blank(*at_)) ++at_;
    return {begin, static_cast<size_t>(at_ - begin)};
  }

  void end_line() {
    at_ = line_end();
    is_done_ = at_ == end_;
    if (is_done_) return;
    line_begin_ = ++at_;
    ++line_;
  }

  void fail(const char* at, const char* why) {
    error_ = why;
    column_ = static_cast<uint32_t>(at - line_begin_) + 1;
  }

  const char* at_;
  const char* end_;
  const char* line_begin_;
  const char* error_ = nullptr;
  uint32_t line_ = 1;
  uint32_t column_ = 0;
  uint32_t before_us_ = 0;
  uint16_t events_ = 0;
  bool is_done_ = false;
};

}  // namespace devices
}  // namespace baton
