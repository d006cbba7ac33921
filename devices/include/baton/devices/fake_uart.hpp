// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/received_bytes.hpp>
#include <baton/devices/uart.hpp>
#include <stdint.h>

namespace baton {
namespace devices {

/// A serial line without hardware, for tests of device code: the test feeds the receiver, and finds
/// what the code has sent.
///
/// Shape    static state for each `Number`: a store of `Slots` received bytes, and the first
///          `Recorded` sent ones.
/// Context  `feed()`, `lose()` and `drain()` act as the outside world does, at any moment. A byte
///          that comes before `open()` is lost without a trace, as on a closed line.
template <uint8_t Number, uint8_t Slots = 16, uint16_t Recorded = 128>
struct fake_uart {
  static constexpr bool counts_lost = true;

  static void open() { the().is_open = true; }
  static status write(uint8_t byte) {
    state& s = the();
    if (s.has_limit && s.room == 0) {
      s.was_full = true;
      return status::full;
    }
    if (s.has_limit) --s.room;
    if (s.sent < Recorded) s.text[s.sent] = static_cast<char>(byte);
    ++s.sent;
    return status::ok;
  }
  static status read(uint8_t& byte) { return the().received.read(byte); }
  static void listen(isr_signal* signal) { the().listener = signal; }

  /// Lets a byte come in.
  static void feed(uint8_t byte) {
    if (!the().is_open) return;
    the().received.push(byte);
    notify();
  }

  /// Lets the hardware lose a byte.
  static void lose() {
    if (!the().is_open) return;
    the().received.lose();
    notify();
  }

  /// Limits the transmitter to `room` more bytes; without a call it has room for all.
  static void limit(uint16_t room) {
    the().has_limit = true;
    the().room = room;
  }

  /// Makes room for `room` more bytes.
  static void drain(uint16_t room) {
    state& s = the();
    s.room = static_cast<uint16_t>(s.room + room);
    if (!s.was_full) return;
    s.was_full = false;
    notify();
  }

  /// The number of bytes sent since the last `forget()`.
  static uint32_t sent() { return the().sent; }

  /// The sent bytes, ended by a null character; the first `Recorded` of them.
  static const char* text() {
    state& s = the();
    s.text[s.sent < Recorded ? s.sent : Recorded] = 0;
    return s.text;
  }

  /// Forgets the sent bytes.
  static void forget() { the().sent = 0; }

  /// Goes back to the state at the start of the program.
  static void reset() {
    state& s = the();
    uint8_t byte;
    while (s.received.read(byte) != status::empty) {
    }
    s.listener = nullptr;
    s.sent = 0;
    s.room = 0;
    s.has_limit = s.was_full = s.is_open = false;
  }

 private:
  struct state {
    received_bytes<Slots> received;
    isr_signal* listener = nullptr;
    uint32_t sent = 0;
    uint16_t room = 0;
    bool has_limit = false, was_full = false, is_open = false;
    char text[Recorded + 1] = {};
  };

  static state& the() {
    static state s;
    return s;
  }

  static void notify() {
    if (the().listener) the().listener->set();
  }
};

template <uint8_t Number, uint8_t Slots, uint16_t Recorded>
constexpr bool fake_uart<Number, Slots, Recorded>::counts_lost;

}  // namespace devices
}  // namespace baton
