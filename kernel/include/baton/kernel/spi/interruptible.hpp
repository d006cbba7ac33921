// SPDX-License-Identifier: MIT
#pragma once

/// Service-provider interface of the kernel: the part of `kernel_port` for a processor whose
/// interrupts interrupt the kernel, too.
///
/// It is for Baton's ports. Users do not name it, and it may change with any release.
namespace baton {
namespace kernel {
namespace spi {

struct interruptible {
  static constexpr bool masks_interrupts = false;
  static void window() {}
};

}  // namespace spi
}  // namespace kernel
}  // namespace baton
