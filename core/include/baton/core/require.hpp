// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/port.hpp>
#include <stdint.h>

/// Called where a BATON_REQUIRE does not hold; must not return.
///
/// Context  wherever the bug was noticed, an interrupt included. A program replaces it by defining a function of this
///          name, in a source that does not include this header; the default asks the port to stop, and `./baton explain ID` says what the
///          id means.
/// Cost     two instructions at each check; no string in flash.
extern "C" __attribute__((weak, noreturn, noinline, cold)) void baton_require_failed(uint16_t id) {
  baton::port::halt(id);
}

/// Stops the program if `condition` does not hold: a bug of ours or of the caller's, in release builds too.
///
/// Units    `id` is unique in the project and stands in docs/require.md.
#define BATON_REQUIRE(id, condition)                              \
  do {                                                            \
    if (BATON_UNLIKELY(!(condition))) ::baton_require_failed(id); \
  } while (0)
