// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace kernel {

/// Bytes, first in, first out, for one task.
///
/// Shape    `Size` bytes, inline.
template <uint8_t Size>
class byte_queue {
  static_assert(Size >= 1, "a queue for nothing");

 public:
  uint8_t depth() const { return used_; }
  uint8_t room() const { return static_cast<uint8_t>(Size - used_); }

  /// Appends bytes, for which there is room.
  void put(const uint8_t* from, uint8_t count) {
    for (uint8_t i = 0; i < count; ++i) bytes_[slot(static_cast<uint8_t>(used_ + i))] = from[i];
    used_ = static_cast<uint8_t>(used_ + count);
  }

  /// Copies the oldest bytes, which stay; says how many there were, at most `most`.
  uint8_t peek(uint8_t* to, uint8_t most) const {
    const uint8_t count = used_ < most ? used_ : most;
    for (uint8_t i = 0; i < count; ++i) to[i] = bytes_[slot(i)];
    return count;
  }

  /// Forgets the oldest bytes, which are there.
  void drop(uint8_t count) {
    first_ = slot(count);
    used_ = static_cast<uint8_t>(used_ - count);
  }

 private:
  uint8_t slot(uint8_t offset) const { return static_cast<uint8_t>((first_ + offset) % Size); }

  uint8_t first_ = 0;
  uint8_t used_ = 0;
  uint8_t bytes_[Size] = {};
};

}  // namespace kernel
}  // namespace baton
