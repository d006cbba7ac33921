// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/dispatch.hpp>

/// Service-provider interface of the kernel: the entrances of a port's traps.
///
/// It is for Baton's ports. Users do not name it, and it may change with any release.
namespace baton {
namespace kernel {
namespace spi {

/// The number of calls for which each trap has an entrance of its own: up to `yield`.
constexpr uint8_t own_entrances = 5;

/// Does a call that never switches to another task, for a trap that has one more entrance for it.
/// If the program makes the call nowhere, it is a bad_call.
template <call_number N>
BATON_INLINE void enter_if_linked(kernel_state& m, request& r) {
  const detail::entry call = &detail::optional_entry<N>::enter;
  if (BATON_LIKELY(call != nullptr)) {
    call(m, r);
  } else {
    detail::refuse(m, r, error::bad_call);
  }
}

}  // namespace spi
}  // namespace kernel
}  // namespace baton
