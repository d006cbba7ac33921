// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/listed.hpp>
#include <baton/core/profiler.hpp>
#include <baton/core/spi/text.hpp>

/// Text for people and programs, written to any sink: an object with `void put(char)`. Lines end in
/// CRLF.
namespace baton {

/// The histogram of one coroutine and its name, as the renderers print them.
struct profile : log_bins {
  constexpr explicit profile(port::text called = nullptr) : name(called) {}

  port::text name;
};

namespace detail {

/// Returns a column of the printed range: the first has gathered all bins before it, the last all
/// bins after it. Saturates.
inline uint16_t rolled_up(const log_bins& bins, uint8_t column, uint8_t first, uint8_t last) {
  uint8_t from = column == first ? 0 : column;
  uint8_t to = column == last ? log_bins::count - 1 : column;
  uint32_t sum = 0;
  for (uint8_t i = from; i <= to; ++i) sum += bins.bin[i];
  return sum > UINT16_MAX ? UINT16_MAX : static_cast<uint16_t>(sum);
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
  spi::put_name_cell(sink, BATON_TEXT("name"));
  for (uint8_t i = range.first; i <= range.last; ++i) {
    port::text label = i == range.last && i != log_bins::count - 1 ? BATON_TEXT(">>") : spi::bin_label(i);
    spi::put_padding(sink, 6, spi::length(label));
    spi::put_text(sink, label);
  }
  spi::put_line_end(sink);
  for (uint8_t n = 0; n < count; ++n) {
    spi::put_name_cell(sink, profiles[n]->name);
    for (uint8_t i = range.first; i <= range.last; ++i) {
      spi::put_number(sink, detail::rolled_up(*profiles[n], i, range.first, range.last), 6);
    }
    spi::put_line_end(sink);
  }
}

/// Prints histograms as JSON: an object with one array per coroutine, one per line.
/// Units    a name is printed as it is: it must need no JSON escape.
/// Cost     flash on AVR: suite memory, case profile_json.
template <typename Sink>
void print_profile_json(Sink& sink, const profile* const* profiles, uint8_t count,
                        bin_range range = {0, log_bins::count - 1}) {
  sink.put('{');
  spi::put_line_end(sink);
  for (uint8_t n = 0; n < count; ++n) {
    sink.put('"');
    if (profiles[n]->name) spi::put_text(sink, profiles[n]->name);
    spi::put_text(sink, BATON_TEXT("\":["));
    for (uint8_t i = range.first; i <= range.last; ++i) {
      if (i != range.first) sink.put(',');
      spi::put_number(sink, detail::rolled_up(*profiles[n], i, range.first, range.last));
    }
    sink.put(']');
    if (n + 1 < count) sink.put(',');
    spi::put_line_end(sink);
  }
  sink.put('}');
  spi::put_line_end(sink);
}

/// The name of a state.
inline port::text state_name(job_state state) {
  port::text name = BATON_TEXT("NotStarted\0Ready\0Running\0Delaying\0Waiting\0Suspended\0Ended\0");
  for (uint8_t i = static_cast<uint8_t>(state); i; --i) name += spi::length(name) + 1;
  return name;
}

/// Prints the listed coroutines of this domain, newest first: `Coroutine NAME; status: Waiting`.
template <typename Sink>
void print_coroutines(Sink& sink) {
  for (const listed_entry* e = listed_coroutines(); e; e = e->next_listed) {
    spi::put_text(sink, BATON_TEXT("Coroutine "));
    spi::put_text(sink, e->name ? e->name : BATON_TEXT("(unnamed)"));
    spi::put_text(sink, BATON_TEXT("; status: "));
    spi::put_text(sink, state_name(e->state_of(*e)));
    spi::put_line_end(sink);
  }
}

}  // namespace baton
