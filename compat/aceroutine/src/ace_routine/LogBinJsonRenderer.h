// SPDX-License-Identifier: MIT
#pragma once

#include <ace_routine/LogBinProfiler.h>

namespace ace_routine {

/// Prints the histograms of all coroutines that have a `LogBinProfiler` as JSON: an object with one
/// array per coroutine, one per line.
///
/// Units    a name is printed unchanged: it must need no JSON escape.
/// Errors   every profiler has to be a `LogBinProfiler`.
template <typename T_COROUTINE>
class LogBinJsonRendererTemplate {
 public:
  /// Prints the bins from `startBin` up to, but not including, `endBin`.
  ///
  /// clear    empties them afterwards.
  /// rollup   adds the bins outside to the first and the last.
  static void printTo(Print& printer, uint8_t startBin = 0, uint8_t endBin = baton::log_bins::count, bool clear = true,
                      bool rollup = true) {
    internal::ShownBins shown(startBin, endBin, rollup);
    internal::PrintSink sink(printer);
    baton::port::text before = BATON_TEXT("{\r\n\"");
    baton::port::text after = BATON_TEXT("{\r\n}\r\n");
    for (T_COROUTINE* c = *T_COROUTINE::getRoot(); c; c = *c->getNext()) {
      auto* profiler = LogBinProfilerTemplate<T_COROUTINE>::of(*c);
      if (!profiler) continue;
      shown.take(*profiler, clear);
      baton::spi::put_text(sink, before);
      c->printNameTo(printer);
      baton::spi::put_text(sink, BATON_TEXT("\":["));
      for (uint8_t i = shown.start; i < shown.end; ++i) {
        if (i != shown.start) sink.put(',');
        baton::spi::put_number(sink, shown.bins[i]);
      }
      before = BATON_TEXT("],\r\n\"");
      after = BATON_TEXT("]\r\n}\r\n");
    }
    baton::spi::put_text(sink, after);
  }
};

/// The renderer for the coroutines of a program.
using LogBinJsonRenderer = LogBinJsonRendererTemplate<Coroutine>;

}  // namespace ace_routine
