// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/missing_capability.hpp>
#include <stdint.h>

namespace baton {

/// A resume point: the place in a body where it goes on when it runs again. A body returns it to
/// the scheduler.
///
/// Units    0 is the beginning; 1..127 are the wait points of a body in the order of the source. A
///          body that returns `suspended` has left the ready queue, or wants to go on at once from
///          the label that it stored. The scheduler then does not touch the job, which may not
///          exist any more.
using point = uint8_t;

constexpr point suspended = 0x80;

/// `job::at` of a body that has ended: never a label of a body.
constexpr point finished = 0xfe;

/// An entry of the ready queue: a link, a step function and a resume point. 5 bytes on AVR.
///
/// Shape    `next` links the job into exactly one list (ready queue, wait list, timer list); null
///          means in no list.
/// Context  only code of the job's domain touches it; an interrupt never does.
struct job : detail::missing_capability {
  using function = point (*)(job*, point);

  /// Selects the constructor that stores nothing. All members must be set before the job enters a
  /// list.
  struct unset {};

  constexpr explicit job(function run, point where = 0) : next(nullptr), body(run), at(where) {}
  explicit job(unset) {}
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  job* next;
  function body;
  point at;
};

}  // namespace baton
