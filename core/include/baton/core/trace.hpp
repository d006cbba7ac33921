// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/job.hpp>
#include <baton/port.hpp>
#include <stdint.h>

namespace baton {

/// A transition of a job, as the trace hook sees it.
enum class transition : uint8_t {
  ready,  ///< put in the ready queue
  run,    ///< its step function is about to run
  wait,   ///< left the ready queue for the object named (a wait list, or null: a timer, a suspension)
  done,   ///< its body ended
};

/// Tells the port's trace hook of a transition.
/// Cost     nothing unless the port traces: `port::trace::on` is empty by default.
BATON_INLINE void trace(transition what, const job* who, const void* on_what = nullptr) {
  port::trace::on(what, who, on_what);
}

}  // namespace baton
