// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/port.hpp>

namespace baton {
namespace kernel {

/// Lets interrupts in after each `Steps` steps of work that grows with the program's tables, on a
/// port whose calls mask them.
///
/// Context  between two steps only handlers run. They touch `raised_interrupt_events`,
///          `has_notifications` and `notifications`, and read `id`; what they wake runs after the
///          call. So the kernel may be in the middle of any change but one of these.
template <uint16_t Steps>
class walk {
 public:
  BATON_INLINE void step() {
    if (!kernel_port::masks_interrupts || BATON_LIKELY(++done_ != Steps)) return;
    done_ = 0;
    kernel_port::window();
  }

 private:
  uint16_t done_ = 0;
};

}  // namespace kernel
}  // namespace baton
