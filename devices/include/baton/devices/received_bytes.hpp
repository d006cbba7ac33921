// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/ring.hpp>
#include <baton/core/status.hpp>
#include <baton/port.hpp>
#include <stdint.h>

namespace baton {
namespace devices {

/// The store of a serial line's received bytes, for providers.
///
/// Shape    a ring of `Slots` bytes, and the number of bytes that were lost after them. Once a byte
///          is lost, later ones are lost too, until the reader has taken all bytes and the number:
///          so a reader learns the exact place of the gap.
/// Context  `push()` and `lose()` in the interrupt; `read()` in one job.
/// Cost     `Slots` + 3 bytes.
template <uint8_t Slots>
class received_bytes {
 public:
  constexpr received_bytes() = default;

  /// Stores a byte, or counts it as lost.
  void push(uint8_t byte) {
    if (lost_ || bytes_.push(byte) != status::ok) lose();
  }

  /// Counts a byte that the hardware has lost.
  void lose() {
    const uint8_t lost = lost_;
    if (lost != UINT8_MAX) lost_ = static_cast<uint8_t>(lost + 1);
  }

  /// Takes the oldest byte, or the number of bytes that were lost at this place.
  /// Errors   empty: nothing is there. truncated: `byte` is the number of lost bytes, at most 255.
  BATON_NODISCARD status read(uint8_t& byte) {
    if (bytes_.pop(byte) == status::ok) return status::ok;
    if (!lost_) return status::empty;
    // A byte may have come and filled the ring since the first look. While bytes are lost the ring
    // gets no further ones, so this look is the last.
    if (bytes_.pop(byte) == status::ok) return status::ok;
    port::critical mask;
    byte = lost_;
    lost_ = 0;
    return status::truncated;
  }

 private:
  ring<uint8_t, Slots> bytes_;
  volatile uint8_t lost_ = 0;
};

}  // namespace devices
}  // namespace baton
