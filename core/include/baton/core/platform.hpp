// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <stdint.h>

/// The contract between core and a port.
///
/// Exactly one port is on the include path of a program. Its `<baton/port.hpp>` defines
/// `struct baton::port` with the members below. Each function is static and inline; none may call
/// back into core, except that it may raise attention where the contract says so. The context in
/// parentheses says who may call it.
///
/// Types and constants:
///   - `tick`: unsigned type of a point in time. It wraps; two ticks compare by their signed
///     difference.
///   - `ticks_per_second`: the rate of the clock, which counts from `start()`.
///   - `text`: pointer to the characters of a constant string, maybe in flash. `BATON_TEXT("...")`
///     is a constant of it.
///   - `profile_tick16`, `profile_tick32`: ticks of the profiler's clocks.
///     `profile_ticks_per_us`: their rate, a power of two.
///   - `checked`: look for bugs that a release does not look for.
///   - `null_is_readable`: reading an object at a null pointer faults nowhere and finds no object's
///     address.
///   - `time_is_virtual`: may be left out; time does not go on by itself: `idle()` goes to the next
///     alarm.
///   - `nothing_dies`: may be left out; the program states that none of its jobs and primitives is
///     ever destroyed, and their destructors are empty.
///   - `checks_that_nothing_dies`: may be left out; a destructor that runs all the same is
///     BATON_REQUIRE destroyed_though_nothing_dies.
///   - `alarm_tells`: may be left out; `alarm(due)` returns true if `due` has come.
///   - `notes_lines`: may be left out; each coroutine of async notes the line of its last await. If
///     it is left out, `checked` says so.
///   - `has_heap`: may be left out; there is a heap from which async may take memory for frames.
///   - `rounds_frames`: may be left out; the compiler rounds the size of a coroutine's frame up to
///     its alignment, as g++ does.
///   - `owner`: base of each primitive; `is_local()` is false for a foreign call in checked ports,
///     else always true.
/// Functions:
///   - `start()`: starts the clock; idempotent (main, before the first delay).
///   - `now()`: the current tick; may mask interrupts for an instant (any job).
///   - `alarm(due)`: raises attention at `due` or soon after, and replaces the alarm before it. The
///     caller reads the clock afterwards, so a past `due` may be ignored (a job, or between jobs).
///   - `idle()`: sleeps until attention is raised; returns at once if it is. false: nothing can
///     ever raise it, in virtual time only (between jobs, ready queue empty).
///   - `attention::raise()`: sets the flag; cheap, idempotent (anywhere, interrupts included).
///   - `attention::raised()`, `attention::lower()`: read and clear the flag (between jobs).
///   - `local<T>::get()`: the domain's own `T`: one per program on a device, one per thread on a
///     host (jobs, ports).
///   - `trace::on(event, job, object)`: the trace hook; empty unless the port traces (the
///     scheduler, the wait lists).
///   - `read(p)`: the character at `p`, a `text`.
///   - `profile_now16()`, `profile_now32()`: the profiler's clocks (a step function).
///   - `print_destroyed_coroutine(code, file, line)`: may be left out; prints which coroutine a
///     stop has destroyed (a loop, between coroutines).
///   - `halt(id)`: reports a failed BATON_REQUIRE and stops; does not return (anywhere).
/// Objects:
///   - `waker`: a way to raise attention from outside: `bind()` in the domain, `raise()` anywhere.
///   - `critical`: while it lives, no interrupt that Baton knows runs; must nest (jobs).
namespace baton {

using tick = port::tick;

namespace detail {

template <typename Tick>
struct signed_of;
template <>
struct signed_of<uint16_t> {
  using type = int16_t;
};
template <>
struct signed_of<uint32_t> {
  using type = int32_t;
};
template <>
struct signed_of<uint64_t> {
  using type = int64_t;
};

}  // namespace detail

/// The difference of two ticks: positive when the first is later.
using tick_difference = detail::signed_of<tick>::type;

static_assert(static_cast<tick>(-1) > 0, "port::tick must be unsigned: the clock wraps");
static_assert(port::ticks_per_second >= 1, "port::ticks_per_second must say how fast the clock runs");

}  // namespace baton

// A slow path that saves each register which it uses, so that the fast path beside it saves none.
// A port defines it if its compiler can, for functions that return nothing: clang 14 would restore
// the register of a result, too.
#ifdef BATON_SLOW_PATH
#define BATON_HAS_SLOW_PATHS 1
#else
#define BATON_HAS_SLOW_PATHS 0
#define BATON_SLOW_PATH __attribute__((noinline))
#endif
