// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/types.hpp>

/// Service-provider interface of the kernel: the parts of `kernel_port` for a processor whose tasks
/// may touch all memory.
///
/// It is for Baton's ports. Users do not name it, and it may change with any release.
#define BATON_KERNEL_MEMORY
#define BATON_TASK_MEMORY

namespace baton {
namespace kernel {
namespace spi {

struct unprotected {
  static constexpr bool protects_memory = false;

  template <typename Context>
  static constexpr bool may_access(const Context&, const void*, word, bool) {
    return true;
  }
  static constexpr bool may_be_stack(const void*, word) { return true; }
  static constexpr bool is_program(void (*)(void*), const char*) { return true; }
  static constexpr bool is_reach(const reach&) { return true; }
  template <typename Context>
  static constexpr bool may_give(const Context&, const reach&) {
    return true;
  }
};

}  // namespace spi
}  // namespace kernel
}  // namespace baton
