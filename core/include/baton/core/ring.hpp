// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/status.hpp>
#include <stdint.h>

namespace baton {

/// Fixed first-in-first-out store.
///
/// Shape    `Slots` values of `T`, inline, oldest first; no heap.
/// Units    `depth()` counts slots, not bytes.
/// Context  one job, or one interrupt that pushes and one job that pops: each side writes one
///          cursor only, and a cursor is one byte. Wakes nobody.
/// Cost     O(1).
/// Source   own design; checked against a model in core/tests/model_test.cpp.
template <typename T, uint8_t Slots>
class ring {
  static_assert(Slots != 0 && Slots <= 128 && (Slots & (Slots - 1)) == 0,
                "byte cursors wrap at 256, so Slots must be a power of two up to 128");

 public:
  constexpr ring() = default;

  /// Appends `value`.
  /// Errors   full: nothing stored; older values are kept.
  BATON_NODISCARD status push(const T& value) {
    uint8_t tail = tail_;
    if (static_cast<uint8_t>(tail - head_) == Slots) return status::full;
    slots_[tail & (Slots - 1)] = value;
    BATON_COMPILER_BARRIER();
    tail_ = static_cast<uint8_t>(tail + 1);
    return status::ok;
  }

  /// Takes the oldest value.
  /// Errors   empty: `value` is left as it was.
  BATON_NODISCARD status pop(T& value) {
    uint8_t head = head_;
    if (head == tail_) return status::empty;
    BATON_COMPILER_BARRIER();
    value = slots_[head & (Slots - 1)];
    BATON_COMPILER_BARRIER();
    head_ = static_cast<uint8_t>(head + 1);
    return status::ok;
  }

  /// Values stored now.
  uint8_t depth() const { return static_cast<uint8_t>(tail_ - head_); }

 private:
  T slots_[Slots] = {};
  volatile uint8_t head_ = 0;
  volatile uint8_t tail_ = 0;
};

}  // namespace baton
