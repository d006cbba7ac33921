// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/kernel_state.hpp>

/// The objects that a task names in a call.
namespace baton {
namespace kernel {
namespace detail {

/// True if the object is null, not aligned, or not accessible to the running task. `main` is
/// believed.
template <typename T>
inline bool is_bad_object(const kernel_state& m, word address, bool is_written) {
  if (address == 0 || address % alignof(T) != 0) return true;
  return kernel_port::protects_memory && m.running &&
         !kernel_port::may_access(m.running->context, reinterpret_cast<const void*>(address), sizeof(T), is_written);
}

}  // namespace detail
}  // namespace kernel
}  // namespace baton
