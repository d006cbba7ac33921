// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace baton {
namespace detail {

/// False, but only when a template is instantiated.
template <typename...>
struct never {
  static constexpr bool value = false;
};

/// The operation that BATON_SELECT waits for after its error, so that there is no second error.
struct no_operation {
  template <typename Waiter>
  bool try_now(Waiter&) const {
    return true;
  }
  template <typename Waiter>
  void suspend(Waiter&) const {}
};

struct no_value {
  template <typename T>
  void operator=(const T&) {
    static_assert(never<T>::value, "BATON_RETURN needs the base returning<T>");
  }
};

/// Stand-ins for the functions that the macros call: each refuses to compile, and names the base
/// that is missing. A base that has the capability hides the name. Empty; never used in a program
/// that compiles.
struct missing_capability {
  template <typename Operation>
  bool wait_(uint8_t, Operation) {
    static_assert(never<Operation>::value, "BATON_WAIT needs a base that waits: waiting, timed_waiting or deadline");
    return false;
  }
  template <typename Tick, typename Operation>
  bool wait_for_(uint8_t, Tick, Operation) {
    static_assert(never<Operation>::value,
                  "BATON_WAIT_FOR, BATON_WAIT_UNTIL and BATON_SELECT_FOR need the base deadline");
    return false;
  }
  template <typename Tick, typename Operation>
  bool wait_until_(uint8_t, Tick, Operation) {
    static_assert(never<Operation>::value,
                  "BATON_WAIT_FOR, BATON_WAIT_UNTIL and BATON_SELECT_FOR need the base deadline");
    return false;
  }
  void disarm_() {}

  template <typename... Operations>
  no_operation any_of_(Operations...) {
    static_assert(never<Operations...>::value, "BATON_SELECT needs the base selecting<Cases>");
    return {};
  }

  template <uint32_t PerSecond, typename Count>
  void delay_(Count) {
    static_assert(never<Count>::value,
                  "a delay needs a base that sleeps: timed, long_timed, timed_waiting or deadline");
  }
  template <typename Length>
  void sleep_for_(Length) {
    static_assert(never<Length>::value,
                  "a delay needs a base that sleeps: timed, long_timed, timed_waiting or deadline");
  }
  template <typename Tick>
  void sleep_until_(Tick) {
    static_assert(never<Tick>::value, "a delay needs a base that sleeps: timed, long_timed, timed_waiting or deadline");
  }
  static constexpr bool sleeps_again_() { return false; }

  static no_value value_;  // NOLINT(readability-identifier-naming): `returning` hides it with its member
};

}  // namespace detail
}  // namespace baton
