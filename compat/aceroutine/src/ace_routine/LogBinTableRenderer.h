// SPDX-License-Identifier: MIT
#pragma once

#include <ace_routine/LogBinProfiler.h>

namespace ace_routine {

/// Prints the histograms of all coroutines that have a `LogBinProfiler` as a table: a name cut or padded to 12, then cells of 6.
///
/// Errors   a profiler of another type must not be there.
template <typename T_COROUTINE>
class LogBinTableRendererTemplate {
 public:
  /// Prints the bins from `startBin` up to `endBin`, which is not one of them.
  ///
  /// clear    empties them afterwards.
  /// rollup   adds the bins outside to the first and the last, which is then headed by >>.
  static void printTo(Print& printer, uint8_t startBin = 2, uint8_t endBin = 13, bool clear = true,
                      bool rollup = true) {
    internal::ShownBins shown(startBin, endBin, rollup);
    internal::PrintSink sink(printer);
    baton::detail::put_name_cell(sink, BATON_TEXT("name"));
    for (uint8_t i = shown.start; i < shown.end; ++i) {
      bool more = rollup && i + 1 == shown.end && shown.end != baton::log_bins::count;
      baton::port::text label = more ? BATON_TEXT(">>") : baton::detail::bin_label(i);
      baton::detail::put_padding(sink, 6, baton::detail::length(label));
      baton::detail::put_text(sink, label);
    }
    baton::detail::put_line_end(sink);
    for (T_COROUTINE* c = *T_COROUTINE::getRoot(); c; c = *c->getNext()) {
      auto* profiler = LogBinProfilerTemplate<T_COROUTINE>::of(*c);
      if (!profiler) continue;
      shown.take(*profiler, clear);
      c->printNameTo(printer, 12);
      for (uint8_t i = shown.start; i < shown.end; ++i) baton::detail::put_number(sink, shown.bins[i], 6);
      baton::detail::put_line_end(sink);
    }
  }
};

/// Of a program's coroutines.
using LogBinTableRenderer = LogBinTableRendererTemplate<Coroutine>;

}  // namespace ace_routine
