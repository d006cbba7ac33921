// SPDX-License-Identifier: MIT
#pragma once

namespace baton {
namespace bench {

/// Starts or restarts a coroutine, so that a workload can run again. The coroutine stands at the
/// tail of the ready queue.
template <typename Coroutine>
void begin(Coroutine& c) {
  c.start();
  c.restart();
}

}  // namespace bench
}  // namespace baton
