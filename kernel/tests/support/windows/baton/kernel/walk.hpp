// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/port.hpp>

namespace baton {
namespace kernel {

/// In place of the kernel's: interrupts come in after each step.
template <uint16_t Steps>
class walk {
 public:
  void step() { kernel_port::window(); }
};

}  // namespace kernel
}  // namespace baton
