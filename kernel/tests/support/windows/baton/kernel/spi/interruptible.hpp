// SPDX-License-Identifier: MIT
#pragma once

/// In place of the kernel's: a host whose calls mask interrupts, and let the test's in.
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
