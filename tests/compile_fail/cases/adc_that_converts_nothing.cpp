// SPDX-License-Identifier: MIT
// error: an ADC needs `static baton::status start\(\)`
// lines: 12
#include <baton/devices/adc.hpp>

struct probe {
  static constexpr uint16_t full_scale = 1023;
#if FAILS
  static void start() {}
#else
  static baton::status start() { return baton::status::ok; }
#endif
  static bool ready() { return true; }
  static uint16_t read() { return 0; }
  static void listen(baton::isr_signal*) {}
};

static_assert(baton::devices::is_adc<probe>(), "");
