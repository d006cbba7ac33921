// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {

/// The result of an operation or a wait. One byte on every target.
///
/// Context  a wait ends exactly once, at the hand-over. After the hand-over a cancel comes too late
///          and the wait is `ok`.
enum class status : uint8_t {
  ok,         ///< the operation happened
  full,       ///< try_: there was no room; nothing was stored
  empty,      ///< try_: there was nothing to take
  closed,     ///< the primitive was closed or destroyed; a send did not happen
  timed_out,  ///< the deadline came first; the operation did not happen
  cancelled,  ///< the wait was cancelled or suspended; the operation did not happen
  peer_gone,  ///< the other side of a call went away before it replied, or before it could be replied to
  truncated,  ///< kernel: the message was longer than the buffer
  no_right,   ///< kernel: the caller holds no right to do this
};

}  // namespace baton
