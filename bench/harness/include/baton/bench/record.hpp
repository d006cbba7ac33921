// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/print.hpp>
#include <baton/board.hpp>
#include <baton/board_meter.hpp>
#include <stdint.h>

namespace baton {
namespace bench {

/// What a record says besides its figures. `params` are further `key=value` words, or empty.
///
/// Shape    has a constructor because avr-g++ 5.4 fails to link-time optimize a constant aggregate of addresses in flash.
struct row {
  row(port::text in_suite, port::text called, port::text with, uint32_t operations)
      : suite(in_suite), name(called), params(with), iterations(operations) {}

  port::text suite;
  port::text name;
  port::text params;
  uint32_t iterations;
};

namespace detail {

inline void say(port::text text) {
  print_text<board::console>(text);
}

/// `baton-bench/1 suite=... case=... board=... unit=... iterations=...`
inline void begin_record(const row& r, const char* unit) {
  say(BATON_TEXT("baton-bench/1 suite="));
  say(r.suite);
  say(BATON_TEXT(" case="));
  say(r.name);
  say(BATON_TEXT(" board="));
  print<board::console>(board::name());
  say(BATON_TEXT(" unit="));
  print<board::console>(unit);
  say(BATON_TEXT(" iterations="));
  print_number<board::console>(r.iterations);
}

/// ` valid=... ` and the parameters.
inline void end_record(const row& r, const char* valid) {
  say(BATON_TEXT(" valid="));
  print<board::console>(valid);
  if (port::read(r.params)) board::console::put(' ');
  say(r.params);
  board::console::put('\n');
}

}  // namespace detail

/// A record of a size in bytes: exact, whatever the board.
inline void print_size(const row& r, uint32_t bytes) {
  detail::begin_record(r, "bytes");
  detail::say(BATON_TEXT(" value="));
  print_number<board::console>(bytes);
  detail::end_record(r, "measured");
}

}  // namespace bench
}  // namespace baton
