// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace devices {

/// The kinds of lines of a script: three that do something, and three that ask for something.
enum class script_kind : uint8_t { pin, adc, uart, expect_pin, expect_uart, expect_silence };

/// A line of a script.
///
/// Units    microseconds after the start of the script; `value` is a level, or a reading in percent
///          of the full scale; `length` counts the bytes of `data`.
struct script_event {
  static constexpr uint8_t longest_name = 16;
  static constexpr uint8_t most_bytes = 64;

  uint32_t line = 0;
  uint32_t at_us = 0;
  uint32_t within_us = 0;
  script_kind kind = script_kind::pin;
  uint8_t value = 0;
  uint8_t length = 0;
  uint8_t data[most_bytes] = {};
  char name[longest_name + 1] = {};
};

}  // namespace devices
}  // namespace baton
