// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <stdint.h>

#include <baton/core/profiler_output.hpp>

namespace ace_routine {
namespace internal {

/// Makes a Print the sink of core's renderers.
struct PrintSink {
  explicit PrintSink(Print& print) : to(print) {}
  void put(char c) { to.write(static_cast<uint8_t>(c)); }

  Print& to;
};

/// Prints a name: at most `width` characters unless `width` is 0, and then spaces up to `width`.
struct NameCell {
  NameCell(Print& print, uint8_t cell) : sink(print), width(cell) {}

  /// false: the cell is full.
  bool put(char c) {
    if (width && used == width) return false;
    sink.put(c);
    ++used;
    return true;
  }
  void putAddress(uintptr_t address) {
    put('0');
    put('x');
    uint8_t digit = sizeof(address) * 2 - 1;
    while (digit && !(address >> (4 * digit))) --digit;
    do {
      uint8_t nibble = static_cast<uint8_t>(address >> (4 * digit)) & 0xf;
      put(static_cast<char>(nibble < 10 ? '0' + nibble : 'A' - 10 + nibble));
    } while (digit--);
  }
  void finish() { baton::spi::put_padding(sink, width, used); }

  PrintSink sink;
  uint8_t width;
  uint8_t used = 0;
};

}  // namespace internal
}  // namespace ace_routine
