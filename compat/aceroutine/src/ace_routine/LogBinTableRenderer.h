// SPDX-License-Identifier: MIT
#pragma once

#include <ace_routine/LogBinProfiler.h>

namespace ace_routine {

/// Prints the histograms of all coroutines that have a `LogBinProfiler` as a table: a name cut or
/// padded to 12 characters, then cells of 6.
///
/// Errors   every profiler has to be a `LogBinProfiler`.
template <typename T_COROUTINE>
class LogBinTableRendererTemplate {
 public:
  /// Prints the bins from `startBin` up to, but not including, `endBin`.
  ///
  /// clear    empties the bins afterwards.
  /// rollup   adds the bins outside to the first and the last bin; the last has the heading >>
  /// then.
  static void printTo(Print& printer, uint8_t startBin = 2, uint8_t endBin = 13, bool clear = true,
                      bool rollup = true) {
    internal::ShownBins shown(startBin, endBin, rollup);
    internal::PrintSink sink(printer);
    baton::spi::put_name_cell(sink, BATON_TEXT("name"));
    for (uint8_t i = shown.start; i < shown.end; ++i) {
      bool more = rollup && i + 1 == shown.end && shown.end != baton::log_bins::count;
      baton::port::text label = more ? BATON_TEXT(">>") : baton::spi::bin_label(i);
      baton::spi::put_padding(sink, 6, baton::spi::length(label));
      baton::spi::put_text(sink, label);
    }
    baton::spi::put_line_end(sink);
    for (T_COROUTINE* c = *T_COROUTINE::getRoot(); c; c = *c->getNext()) {
      auto* profiler = LogBinProfilerTemplate<T_COROUTINE>::of(*c);
      if (!profiler) continue;
      shown.take(*profiler, clear);
      c->printNameTo(printer, 12);
      for (uint8_t i = shown.start; i < shown.end; ++i) baton::spi::put_number(sink, shown.bins[i], 6);
      baton::spi::put_line_end(sink);
    }
  }
};

/// The renderer for the coroutines of a program.
using LogBinTableRenderer = LogBinTableRendererTemplate<Coroutine>;

}  // namespace ace_routine
