// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/listed.hpp>
#include <baton/core/profiler.hpp>

/// Text for people and programs, written to any sink: an object with `void put(char)`. Lines end in
/// CRLF.
namespace baton {

/// The histogram of one coroutine and its name, as the renderers print them.
struct profile : log_bins {
  constexpr explicit profile(port::text called = nullptr) : name(called) {}

  port::text name;
};

namespace detail {

template <typename Sink>
void put_text(Sink& sink, port::text text) {
  for (char c; (c = port::read(text)) != 0; ++text) sink.put(c);
}

template <typename Sink>
void put_line_end(Sink& sink) {
  sink.put('\r');
  sink.put('\n');
}

inline uint8_t length(port::text text) {
  uint8_t n = 0;
  while (port::read(text++)) ++n;
  return n;
}

template <typename Sink>
void put_padding(Sink& sink, uint8_t width, uint8_t used) {
  for (; used < width; ++used) sink.put(' ');
}

template <typename Sink>
void put_number(Sink& sink, uint16_t n, uint8_t width = 0) {
  char digits[5];
  uint8_t used = 0;
  do {
    digits[used++] = static_cast<char>('0' + n % 10);
    n /= 10;
  } while (n);
  put_padding(sink, width, used);
  while (used) sink.put(digits[--used]);
}

/// The upper bound of a bin, `<2us` to `<4295s`.
inline port::text bin_label(uint8_t bin) {
  port::text label = BATON_TEXT(
      "<2us\0<4us\0<8us\0<16us\0<32us\0<64us\0<128us\0<256us\0<512us\0<1ms\0<2ms\0<4ms\0<8ms\0<16ms\0<33ms\0<66ms\0<"
      "131ms\0"
      "<262ms\0<524ms\0<1s\0<2s\0<4s\0<8s\0<17s\0<34s\0<67s\0<134s\0<268s\0<537s\0<1074s\0<2147s\0<4295s\0");
  for (; bin; --bin) label += length(label) + 1;
  return label;
}

/// The sum in a column of the printed range: the first column gathers all bins before it, the last
/// all bins after it. Saturates.
inline uint16_t rolled_up(const log_bins& bins, uint8_t column, uint8_t first, uint8_t last) {
  uint8_t from = column == first ? 0 : column;
  uint8_t to = column == last ? log_bins::count - 1 : column;
  uint32_t sum = 0;
  for (uint8_t i = from; i <= to; ++i) sum += bins.bin[i];
  return sum > UINT16_MAX ? UINT16_MAX : static_cast<uint16_t>(sum);
}

template <typename Sink>
void put_name_cell(Sink& sink, port::text name) {
  uint8_t used = 0;
  for (; name && used < 12 && port::read(name); ++used) sink.put(port::read(name++));
  put_padding(sink, 12, used);
}

}  // namespace detail

/// The bins that a renderer prints: `first` to `last`, with the bins outside added to the
/// outermost. `last` is shown as `>>` if it gathers more than its own.
struct bin_range {
  constexpr bin_range() : first(2), last(12) {}
  constexpr bin_range(uint8_t from, uint8_t to) : first(from), last(to) {}

  uint8_t first;
  uint8_t last;
};

/// Prints histograms as a table: a name cut or padded to 12, then cells of 6.
/// Cost     flash on AVR: suite memory, case profile_table.
template <typename Sink>
void print_profile_table(Sink& sink, const profile* const* profiles, uint8_t count, bin_range range = {}) {
  detail::put_name_cell(sink, BATON_TEXT("name"));
  for (uint8_t i = range.first; i <= range.last; ++i) {
    port::text label = i == range.last && i != log_bins::count - 1 ? BATON_TEXT(">>") : detail::bin_label(i);
    detail::put_padding(sink, 6, detail::length(label));
    detail::put_text(sink, label);
  }
  detail::put_line_end(sink);
  for (uint8_t n = 0; n < count; ++n) {
    detail::put_name_cell(sink, profiles[n]->name);
    for (uint8_t i = range.first; i <= range.last; ++i) {
      detail::put_number(sink, detail::rolled_up(*profiles[n], i, range.first, range.last), 6);
    }
    detail::put_line_end(sink);
  }
}

/// Prints histograms as JSON: an object with one array per coroutine, one per line.
/// Units    a name is printed as it is: it must need no JSON escape.
/// Cost     flash on AVR: suite memory, case profile_json.
template <typename Sink>
void print_profile_json(Sink& sink, const profile* const* profiles, uint8_t count,
                        bin_range range = {0, log_bins::count - 1}) {
  sink.put('{');
  detail::put_line_end(sink);
  for (uint8_t n = 0; n < count; ++n) {
    sink.put('"');
    if (profiles[n]->name) detail::put_text(sink, profiles[n]->name);
    detail::put_text(sink, BATON_TEXT("\":["));
    for (uint8_t i = range.first; i <= range.last; ++i) {
      if (i != range.first) sink.put(',');
      detail::put_number(sink, detail::rolled_up(*profiles[n], i, range.first, range.last));
    }
    sink.put(']');
    if (n + 1 < count) sink.put(',');
    detail::put_line_end(sink);
  }
  sink.put('}');
  detail::put_line_end(sink);
}

/// The name of a state.
inline port::text state_name(job_state state) {
  port::text name = BATON_TEXT("NotStarted\0Ready\0Running\0Delaying\0Waiting\0Suspended\0Ended\0");
  for (uint8_t i = static_cast<uint8_t>(state); i; --i) name += detail::length(name) + 1;
  return name;
}

/// Prints the listed coroutines of this domain, newest first: `Coroutine NAME; status: Waiting`.
template <typename Sink>
void print_coroutines(Sink& sink) {
  for (const listed_entry* e = listed_coroutines(); e; e = e->next_listed) {
    detail::put_text(sink, BATON_TEXT("Coroutine "));
    detail::put_text(sink, e->name ? e->name : BATON_TEXT("(unnamed)"));
    detail::put_text(sink, BATON_TEXT("; status: "));
    detail::put_text(sink, state_name(e->state_of(*e)));
    detail::put_line_end(sink);
  }
}

}  // namespace baton
