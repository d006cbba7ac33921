// SPDX-License-Identifier: MIT
#pragma once

#include <ace_routine/Coroutine.h>

namespace ace_routine {

/// Visits the coroutines of one type in turn, the newest first. Each Arduino `loop()` calls
/// `CoroutineScheduler::loop()`.
///
/// Shape    a pointer.
/// Context  the caller of `loop()`. A call visits one coroutine, even one that has nothing to do:
///          so suspended, ending and terminated coroutines cost a call in each round. A coroutine
///          that is running is not entered again.
template <typename T_COROUTINE>
class CoroutineSchedulerTemplate {
 public:
  /// Begins with the newest coroutine. The call is optional.
  static void setup() { current_() = nullptr; }

  /// Calls `setupCoroutine()` of each coroutine, the newest first.
  static void setupCoroutines() {
    for (T_COROUTINE* c = *T_COROUTINE::getRoot(); c; c = *c->getNext()) c->setupCoroutine();
  }

  /// Visits the next coroutine: runs one step of it, or lets an ending one be terminated.
  static void loop() {
    T_COROUTINE* c = next_();
    if (c) c->runCoroutine();
  }

  /// As `loop()`; a step of a coroutine that has a profiler is timed.
  static void loopWithProfiler() {
    T_COROUTINE* c = next_();
    if (c) c->runCoroutineWithProfiler();
  }

  /// Prints a line for each coroutine, the newest first: `Coroutine NAME; status: Yielding`.
  static void list(Print& printer) {
    internal::PrintSink sink(printer);
    for (T_COROUTINE* c = *T_COROUTINE::getRoot(); c; c = *c->getNext()) {
      baton::spi::put_text(sink, BATON_TEXT("Coroutine "));
      c->printNameTo(printer);
      baton::spi::put_text(sink, BATON_TEXT("; status: "));
      c->statusPrintTo(printer);
      baton::spi::put_line_end(sink);
    }
  }

 private:
  /// The coroutine to visit next; null: the head of the list.
  static T_COROUTINE*& current_() {
    static T_COROUTINE* current;
    return current;
  }

  /// Returns the visited coroutine if it has to run, else null. It first advances the position in
  /// the list, so that no state is kept during the step.
  static T_COROUTINE* next_() {
    T_COROUTINE* c = current_();
    if (!c && !(c = *T_COROUTINE::getRoot())) return nullptr;
    current_() = *c->getNext();
    auto status = c->getStatus();
    if (status == T_COROUTINE::kStatusYielding || status == T_COROUTINE::kStatusDelaying) return c;
    if (status == T_COROUTINE::kStatusEnding) c->setTerminated();
    return nullptr;
  }
};

/// The scheduler of a program's coroutines.
using CoroutineScheduler = CoroutineSchedulerTemplate<Coroutine>;

}  // namespace ace_routine
