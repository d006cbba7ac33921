// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <baton/devices/uart.hpp>
#include <stdint.h>

namespace baton {
namespace devices {

/// Reads lines from a serial line: echo, backspace, and lines that are refused as a whole.
///
/// Shape    a coroutine; `Derived` has `void on_line(const char* text, uint8_t length)`, which gets
///          each line without its end, followed by a null character. `Bytes` is the longest line. A
///          line ends with CR, LF or both. Backspace and DEL take the last character back; other
///          control characters are ignored.
/// Context  a coroutine of the domain. `on_line` runs within its step, and the text is valid until
///          it returns. While the transmitter has no room for the echo, the coroutine waits, and
///          received bytes stay in the line's store.
/// Errors   a line of more than `Bytes` characters, and a line of which bytes were lost, is not
///          delivered: `overlong()` and `damaged()` count them. Reading goes on with the next line.
/// Cost     `Bytes` + 1 bytes for the text; bench/suites/memory/line_reader.cpp.
template <typename Derived, typename Uart, uint8_t Bytes>
struct line_reader : coroutine<Derived, waiting> {
  static_assert(is_uart<Uart>(), "");
  static_assert(Bytes > 0 && Bytes < UINT8_MAX, "baton: a line has 1 to 254 characters");

  point step(point at) {
    BATON_BEGIN();
    Uart::open();
    Uart::listen(&arrived_);
    for (;;) {
      while ((got_ = Uart::read(byte_)) != status::empty) {
        echo_ = got_ == status::ok ? take() : lose();
        for (; *echo_; ++echo_) {
          while (Uart::write(static_cast<uint8_t>(*echo_)) == status::full) BATON_WAIT(arrived_.wait());
        }
        if (!is_complete_) continue;
        is_complete_ = false;
        deliver();
      }
      BATON_WAIT(arrived_.wait());
    }
    BATON_END();
  }

  /// The number of lines that were refused because they were too long, at most 65,535.
  uint16_t overlong() const { return overlong_; }

  /// The number of lines that were refused because bytes of them were lost, at most 65,535.
  uint16_t damaged() const { return damaged_; }

 private:
  enum class refusal : uint8_t { none, is_overlong, is_damaged };

  /// Takes `byte_`, and returns its echo.
  const char* take() {
    const bool ends_pair = byte_ == '\n' && after_return_;
    after_return_ = byte_ == '\r';
    if (ends_pair) return "";
    if (byte_ == '\r' || byte_ == '\n') {
      is_complete_ = true;
      return "\r\n";
    }
    if (byte_ == '\b' || byte_ == 0x7f) {
      if (!length_ || refused_ != refusal::none) return "";
      --length_;
      return "\b \b";
    }
    if (byte_ < ' ' || refused_ != refusal::none) return "";
    if (length_ == Bytes) {
      refused_ = refusal::is_overlong;
      return "";
    }
    text_[length_++] = static_cast<char>(byte_);
    text_[length_] = 0;
    return text_ + length_ - 1;
  }

  const char* lose() {
    refused_ = refusal::is_damaged;
    after_return_ = false;
    return "";
  }

  void deliver() {
    text_[length_] = 0;
    const uint8_t length = length_;
    const refusal refused = refused_;
    length_ = 0;
    refused_ = refusal::none;
    if (refused == refusal::none) {
      static_cast<Derived*>(this)->on_line(text_, length);
    } else {
      uint16_t& count = refused == refusal::is_overlong ? overlong_ : damaged_;
      if (count != UINT16_MAX) ++count;
    }
  }

  isr_signal arrived_;
  const char* echo_ = nullptr;
  uint16_t overlong_ = 0;
  uint16_t damaged_ = 0;
  status got_ = status::empty;
  uint8_t byte_ = 0;
  uint8_t length_ = 0;
  refusal refused_ = refusal::none;
  bool is_complete_ = false;
  bool after_return_ = false;
  char text_[Bytes + 1] = {};
};

}  // namespace devices
}  // namespace baton
