// SPDX-License-Identifier: MIT
// error: a UART needs `static baton::status write\(uint8_t\)`
// lines: 12
#include <baton/devices/uart.hpp>

struct modem {
  static constexpr bool counts_lost = true;
  static void open() {}
#if FAILS
  static void write(uint8_t) {}
#else
  static baton::status write(uint8_t) { return baton::status::ok; }
#endif
  static baton::status read(uint8_t&) { return baton::status::empty; }
  static void listen(baton::isr_signal*) {}
};

static_assert(baton::devices::is_uart<modem>(), "");
