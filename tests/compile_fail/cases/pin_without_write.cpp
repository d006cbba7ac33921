// SPDX-License-Identifier: MIT
// error: a pin needs `static void write\(bool\)`
// lines: 12
#include <baton/devices/button.hpp>

struct relay {
  static void configure(baton::devices::pin_mode) {}
  static bool read() { return true; }
#if !FAILS
  static void write(bool) {}
#endif
  static void listen(baton::isr_signal*) {}
};

baton::channel<baton::devices::button_event, 4> events;
baton::devices::button<relay> the_button(events);
