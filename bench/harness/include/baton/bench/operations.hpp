// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board_meter.hpp>
#include <baton/core/attributes.hpp>
#include <stdint.h>

namespace baton {
namespace bench {

/// The number of operations in one interval.
///
/// Units    `Counted` if instructions or cycles are counted exactly, so that a few are enough; many
///          times as many if time is measured.
/// Cost     a constant on a device; a variable on a host.
template <uint16_t Counted>
struct operations {
  static BATON_INLINE uint32_t count() { return board::meter::always_counts ? Counted : chosen; }

 private:
  static constexpr uint32_t timed_factor = 64;
  static const uint32_t chosen;
};

template <uint16_t Counted>
const uint32_t operations<Counted>::chosen = board::meter::counts() ? Counted : Counted * timed_factor;

}  // namespace bench
}  // namespace baton
