// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/domain.hpp>
#include <baton/core/isr_channel.hpp>
#include <baton/core/isr_signal.hpp>
#include <baton/core/timer.hpp>

namespace baton {
namespace spi {

/// Service-provider interface of core: the words of a domain, for a second domain on the same
/// processor.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
///
/// An interrupt that runs a scheduler of its own exchanges the words of the interrupted domain for
/// those of its domain when it begins, and again when it ends. The interrupted code finds each word
/// as it was, so none of core's code knows of the second domain. The marks of what a program uses
/// (`has_strays`, `are_used`, ...) belong to the program and stay. So does the number of calls of
/// `stop()`: a call in the second domain ends the `run()` of main.
///
/// Shape    zeros are a domain in which nothing has happened.
/// Context  `exchange()` runs where only interrupts can preempt it that exchange the words twice
///          themselves. Interrupts that set an `isr_signal`, or send through an `isr_channel`,
///          access none of these words.
/// Cost     a load and a store of each word in both directions, in programs that exchange.
struct domain_words {
  BATON_INLINE void exchange() {
    swap(tail, domain::tail());
    swap(first_timer, timers::first());
    swap(awaited, isr_signal::awaited());
    swap(awaited_channels, isr_channel_base::awaited());
    swap(dropped_values, domain::dropped_values());
    swap(consecutive_handoffs, domain::consecutive_handoffs());
    swap(running, domain::running());
  }

  job* tail;
  job* first_timer;
  isr_signal* awaited;
  isr_channel_base* awaited_channels;
  uint16_t dropped_values;
  uint8_t consecutive_handoffs;
  bool running;

 private:
  template <typename T>
  static BATON_INLINE void swap(T& ours, T& theirs) {
    const T kept = theirs;
    theirs = ours;
    ours = kept;
  }
};

}  // namespace spi
}  // namespace baton
