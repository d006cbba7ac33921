// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/spi/entrances.hpp>

/// Service-provider interface of the kernel: the link from a call in a program to its function in
/// the kernel, past a trap that knows calls by number alone.
///
/// It is for Baton's ports. Users do not name it, and it may change with any release.
namespace baton {
namespace kernel {

namespace detail {

template <call_number N>
tcb* optional_entry<N>::enter(kernel_state& m, request& r) {
  return kernel::enter<N>(m, r);
}

}  // namespace detail

namespace detail {

template <call_number N, bool HasOwnEntrance = (static_cast<uint8_t>(N) < spi::own_entrances)>
struct link {
  static BATON_INLINE void call() { __asm__ volatile("" ::"i"(&optional_entry<N>::enter)); }
};
template <call_number N>
struct link<N, true> {
  static BATON_INLINE void call() {}
};

}  // namespace detail

namespace spi {

/// Puts the function of a call into the program. A port's `kernel_switch` has it beside each trap.
/// Cost     no instruction.
template <call_number N>
BATON_INLINE void link_call() {
  detail::link<N>::call();
}

}  // namespace spi
}  // namespace kernel
}  // namespace baton
