// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/job.hpp>
#include <baton/port.hpp>
#include <stdint.h>

/// Service-provider interface of core: waits of another module in core's wait protocol.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
///
/// A module may let a waiter wait outside of core's lists, in a state of its own, and it may put
/// cases into core's lists whose select another thread decides. Such a case is asked before it is
/// taken: when its body is claimed, it answers `select_case_refusal` if another case was first, and
/// the list goes on with the next waiter. A port without threads has no such case, and pays
/// nothing.
namespace baton {
namespace spi {

/// The first of the values of `waiter::on` that core leaves to the module whose job the waiter is.
/// They end before `waiter::lowest_address`. Such a wait is over when the module has written a
/// status, or `waiter::delivered`, over it.
constexpr uint8_t first_state_of_modules = 13;

/// True on ports where a case may refuse: they have a heap, and ticks that do not wrap.
template <typename Port>
constexpr bool may_refuse_on(int, decltype(Port::has_heap)* = nullptr) {
  return Port::has_heap && sizeof(typename Port::tick) == sizeof(uint64_t);
}
template <typename Port>
constexpr bool may_refuse_on(long) {
  return false;
}
constexpr bool cases_may_refuse = may_refuse_on<port>(0);

/// `job::at` of a case that may refuse, while it stands in a list. It is never a label of a body.
constexpr point refusing_case_mark = 0x7e;

/// The answer of such a case to `select_case_claim` if another case of its select was first.
constexpr point select_case_refusal = 0;

}  // namespace spi
}  // namespace baton
