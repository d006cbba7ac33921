// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <stdint.h>

/// What core asks of a port. Exactly one port is on the include path of a program; its `<baton/port.hpp>` defines
/// `struct baton::port` with the members below. A member is static and inline; none may call back into core, except
/// where "raises attention" is said.
///
/// | member | contract | context |
/// | --- | --- | --- |
/// | `tick` | unsigned type of a point in time; it wraps, and two ticks compare by their signed difference | - |
/// | `ticks_per_second` | constant; a tick counts from `start()` | - |
/// | `start()` | starts the clock; idempotent | main, before the first delay |
/// | `now()` | the tick now | any job; may mask interrupts for an instant |
/// | `alarm(due)` | raise attention at or soon after `due`; replaces the alarm before it. The caller reads the clock afterwards, so a `due` that is past may be ignored | a job, or between jobs |
/// | `idle()` | sleep until attention is raised; return at once if it is. false: nothing can ever raise it (virtual time only) | between jobs, ready queue empty |
/// | `attention::raise()` | set the flag; cheap, idempotent | anywhere, interrupts included |
/// | `attention::raised()`, `lower()` | read, clear | between jobs |
/// | `waker` | a copy of the way to raise attention from outside: `bind()` in the domain, `raise()` anywhere | - |
/// | `critical` | object: while it lives, no interrupt that Baton knows runs | jobs; must nest |
/// | `local<T>::get()` | the domain's own `T`: one a program on a device, one a thread on a host | jobs, ports |
/// | `owner` | base of each primitive; `check()` traps a foreign call in checked ports, else empty | any |
/// | `trace::on(event, job, object)` | the trace hook; empty unless the port traces | the scheduler, the wait lists |
/// | `text`, `read(p)` | pointer to characters of a constant string, maybe in flash; one character of it | - |
/// | `BATON_TEXT("...")` | a `port::text` constant | - |
/// | `profile_tick16`, `profile_tick32`, `profile_now16()`, `profile_now32()` | the profiler's clocks, 2 ticks a microsecond unless `profile_ticks_per_us` says otherwise | a step function |
/// | `checked` | constant: look for bugs that a release does not look for | - |
/// | `null_is_readable` | constant: reading an object at a null pointer faults nowhere and finds no object's address | - |
/// | `has_heap` | constant, may be left out: there is a heap that async may take memory for frames from | - |
/// | `halt(id)` | report a failed BATON_REQUIRE and stop; does not return | anywhere |
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
