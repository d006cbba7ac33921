// SPDX-License-Identifier: MIT
#pragma once

namespace baton {
namespace bench {

/// Starts a coroutine, or starts it over, so that a workload can run again: it stands at the tail of the ready queue.
template <typename Coroutine>
void begin(Coroutine& c) {
  c.start();
  c.restart();
}

}  // namespace bench
}  // namespace baton
