// SPDX-License-Identifier: MIT
//
// The timer as an alarm. A library links this file only where it is asked for.
#include <baton/port.hpp>

extern "C" {

/// Replaces the alarm before it.
void baton_template_alarm(baton::port::tick due) {
  static_cast<void>(due);  // FILL IN: set the compare register, let the interrupt through
}

/// The due time has come: the board's vector table or dispatcher leads here.
__attribute__((used)) void baton_template_timer() {
  // FILL IN: quieten the timer
  baton::port::attention::raise();
}

}  // extern "C"
