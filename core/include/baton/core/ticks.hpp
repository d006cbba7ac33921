// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/platform.hpp>
#include <baton/core/require.hpp>
#include <stdint.h>

namespace baton {

/// The longest time that one deadline can lie ahead: half the range of the clock, so that "before"
/// has a meaning, less a 32nd of that half, by which another deadline may be overdue when the two
/// are compared.
constexpr tick longest_delay = (static_cast<tick>(-1) >> 1) - (static_cast<tick>(-1) >> 6);

/// True if `due` has come at `now`.
constexpr bool is_due(tick due, tick now) {
  return static_cast<tick_difference>(static_cast<tick>(now - due)) >= 0;
}

namespace detail {

/// The ratio of a unit, of which `PerSecond` make a second, to a tick: one of the two factors is 1.
template <uint32_t PerSecond>
struct rate {
  static constexpr bool tick_is_finer = port::ticks_per_second >= PerSecond;
  static constexpr uint32_t ticks_per_unit = tick_is_finer ? port::ticks_per_second / PerSecond : 1;
  static constexpr uint32_t units_per_tick = tick_is_finer ? 1 : PerSecond / port::ticks_per_second;
  static_assert(ticks_per_unit * PerSecond == port::ticks_per_second * units_per_tick,
                "the clock's rate must divide, or be divided by, a second, a millisecond and a microsecond");

  /// The most units whose ticks fit in one deadline and in 32 bits of count.
  static constexpr uint32_t most =
      longest_delay / ticks_per_unit >= UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(longest_delay / ticks_per_unit);
};

/// Ticks of `count` units, rounded up, in 64 bits.
template <uint32_t PerSecond>
constexpr uint64_t wide_ticks(uint64_t count) {
  return count * rate<PerSecond>::ticks_per_unit / rate<PerSecond>::units_per_tick +
         (count * rate<PerSecond>::ticks_per_unit % rate<PerSecond>::units_per_tick != 0);
}

__attribute__((
    error("baton: this constant delay is beyond the range of the clock; give the coroutine the base "
          "baton::long_timed, or use a coarser clock"))) void
delay_out_of_range();

/// Fails if a computed time is beyond the range.
BATON_INLINE void require_in_range(bool is_in_range) {
  BATON_REQUIRE(delay_too_long, is_in_range);
}

/// Ticks of `count` units. A constant beyond the range does not compile; a run-time count beyond it
/// is BATON_REQUIRE delay_too_long.
template <uint32_t PerSecond>
BATON_INLINE tick ticks_of(uint32_t count) {
  using unit = rate<PerSecond>;
  if (__builtin_constant_p(count) && count > unit::most) delay_out_of_range();
  if (unit::most != UINT32_MAX) require_in_range(count <= unit::most);
  if (unit::tick_is_finer) return static_cast<tick>(count) * unit::ticks_per_unit;
  return static_cast<tick>(wide_ticks<PerSecond>(count));
}

}  // namespace detail

}  // namespace baton
