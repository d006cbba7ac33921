// SPDX-License-Identifier: MIT
#pragma once

/// Service-provider interface of the kernel, in place of its own: a host whose calls mask
/// interrupts, and let the test's in.
void baton_test_window();

namespace baton {
namespace kernel {
namespace spi {

struct interruptible {
  static constexpr bool masks_interrupts = true;
  static void window() { baton_test_window(); }
};

}  // namespace spi
}  // namespace kernel
}  // namespace baton
