// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/print.hpp>
#include <baton/bench/self_counting.hpp>
#include <baton/board.hpp>
#include <baton/board_meter.hpp>
#include <stdint.h>

namespace baton {
namespace bench {

/// The head of a record. `params` are further `key=value` words, or empty.
///
/// Shape    has a constructor, because avr-g++ 5.4 fails to link-time optimize a constant aggregate
///          of addresses in flash.
struct row {
  row(port::text in_suite, port::text called, port::text with, uint32_t operations)
      : suite(in_suite), name(called), params(with), iterations(operations) {}

  port::text suite;
  port::text name;
  port::text params;
  uint32_t iterations;
};

namespace detail {

/// The console. If the program itself counts, the other end of the wire checks the sum of the
/// characters.
struct out {
  static void put(char c) {
    if (self_counting<board::meter>::exists) sum() = static_cast<uint16_t>(sum() * 31u + static_cast<uint8_t>(c));
    board::console::put(c);
  }

  /// The sum of all characters since `# begin`.
  static uint16_t& sum() {
    static uint16_t value;
    return value;
  }
};

inline void say(port::text text) {
  print_text<out>(text);
}

/// Prints the frame of the records on a real board, where a program starts before its output is
/// read, and restarts for each reader. `# begin`, once, marks the start of its records, and `# end
/// exit=... sum=...` shows that none is missing. Elsewhere the exit code shows that.
inline void say_begin() {
  static bool said = false;
  if (!self_counting<board::meter>::exists || said) return;
  said = true;
  say(BATON_TEXT("\n# begin\n"));
  out::sum() = 0;
}

inline void say_end(uint8_t exit_code) {
  if (!self_counting<board::meter>::exists) return;
  say_begin();
  const uint16_t sum = out::sum();
  say(BATON_TEXT("# end exit="));
  print_number<out>(exit_code);
  say(BATON_TEXT(" sum="));
  print_number<out>(sum);
  out::put('\n');
}

/// `baton-bench/1 suite=... case=... board=... unit=... iterations=...`
inline void begin_record(const row& r, const char* unit) {
  say_begin();
  say(BATON_TEXT("baton-bench/1 suite="));
  say(r.suite);
  say(BATON_TEXT(" case="));
  say(r.name);
  say(BATON_TEXT(" board="));
  print<out>(board::name());
  say(BATON_TEXT(" unit="));
  print<out>(unit);
  say(BATON_TEXT(" iterations="));
  print_number<out>(r.iterations);
}

/// ` valid=... ` and the parameters.
inline void end_record(const row& r, const char* valid) {
  say(BATON_TEXT(" valid="));
  print<out>(valid);
  if (port::read(r.params)) out::put(' ');
  say(r.params);
  out::put('\n');
}

}  // namespace detail

/// Prints a record of a size in bytes, which is exact on every board.
inline void print_size(const row& r, uint32_t bytes) {
  detail::begin_record(r, "bytes");
  detail::say(BATON_TEXT(" value="));
  print_number<detail::out>(bytes);
  detail::end_record(r, "measured");
}

}  // namespace bench
}  // namespace baton
