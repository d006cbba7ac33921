// SPDX-License-Identifier: MIT
#pragma once

#include <avr/io.h>
#include <stdint.h>

namespace baton {
namespace board {

/// A USART as a console: 8 data bits, no parity, 1 stop bit. It sends without interrupts.
///
/// Shape    no state; `Base` is the address of the USART's first register, UCSRnA. The other
///          registers have the same offsets on every megaAVR.
/// Units    `Baud` in bits per second. Double speed (U2X) keeps the error at 2.1 % for 115200 at 16
///          MHz.
/// Context  `put()` waits for the transmitter: do not call it from an interrupt.
/// Cost     a byte takes 10 bit times; `put()` waits for the byte before its own.
/// Source   ATmega328P data sheet, "USART0" and "Register Summary"; ATmega32U4 data sheet, the same
///          sections.
template <uint16_t Base, uint32_t Baud = 115200>
struct avr_usart {
  static void start() {
    at(ucsra) = 1 << u2x;
    at(ucsrc) = 3 << ucsz0;
    // The rate is set last: simavr computes the time of a byte when the rate is written, from the
    // bits above.
    at(ubrr_low + 1) = 0;
    at(ubrr_low) = static_cast<uint8_t>((F_CPU + 4 * Baud) / (8 * Baud) - 1);
    at(ucsrb) = 1 << txen;
  }

  static void put(char c) {
    while (!has_room()) {
    }
    send(static_cast<uint8_t>(c));
  }

  static bool has_room() { return at(ucsra) & (1 << udre); }

  /// Sends a byte, for which there must be room.
  static void send(uint8_t byte) { at(udr) = byte; }

  /// Returns when the last byte has left the wire. The flag for that (TXC) stays clear if nothing
  /// was ever sent, so it is of no use here: the time of two bytes is always enough.
  static void drain() {
    while (!has_room()) {
    }
    for (volatile uint16_t turns = F_CPU / Baud * 2; turns; turns = turns - 1) {
    }
  }

  /// Lets the receiver interrupt on each byte.
  static void listen() { at(ucsrb) |= (1 << rxen) | (1 << rxcie); }

  static uint8_t take() { return at(udr); }

  /// The errors of the byte that `take()` returns next: bytes before it were lost, or it is
  /// damaged.
  enum : uint8_t { is_damaged = 1 << 4, has_lost = 1 << 3 };  // the bits FE and DOR
  static uint8_t errors() { return at(ucsra) & (is_damaged | has_lost); }

  /// Lets the transmitter interrupt while it has room for a byte.
  static void interrupt_at_room(bool does) {
    if (does) {
      at(ucsrb) |= 1 << udrie;
    } else {
      at(ucsrb) &= static_cast<uint8_t>(~(1 << udrie));
    }
  }

 private:
  enum : uint8_t { ucsra = 0, ucsrb = 1, ucsrc = 2, ubrr_low = 4, udr = 6 };                  // offsets from Base
  enum : uint8_t { u2x = 1, udre = 5, txen = 3, rxen = 4, udrie = 5, rxcie = 7, ucsz0 = 1 };  // bits

  static volatile uint8_t& at(uint8_t offset) { return *reinterpret_cast<volatile uint8_t*>(Base + offset); }
};

}  // namespace board
}  // namespace baton
