// SPDX-License-Identifier: MIT
//
// Implements the alarm with the timer. A program links this file of the library only if it sets
// alarms.
#include <baton/port.hpp>

extern "C" {

/// Replaces the earlier alarm.
void baton_template_alarm(baton::port::tick due) {
  static_cast<void>(due);  // FILL IN: set the compare register, let the interrupt through
}

/// Called when the due time has come: the board's vector table or dispatcher leads here.
__attribute__((used)) void baton_template_timer() {
  // FILL IN: clear the timer's interrupt
  baton::port::attention::raise();
}

}  // extern "C"
