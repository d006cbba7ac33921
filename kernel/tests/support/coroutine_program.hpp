// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"

#include <baton/kernel/coroutine_server.hpp>

namespace baton {
namespace test {

/// A program with coroutines beside its tasks.
template <uint8_t Slots = 4, kernel::word Bytes = 64>
struct coroutine_program : program {
  explicit coroutine_program(kernel::priority priority = 4) { CHECK(coroutines.create(system, priority, stack)); }

  kernel::coroutine_server<Slots, Bytes> coroutines;
  kernel::stack<65536> stack;
};

/// The end of an operation, as a text.
inline const char* text(status s) {
  const char* const names[] = {"ok",        "full",      "empty",     "closed",  "timed_out",
                               "cancelled", "peer_gone", "truncated", "no_right"};
  return names[static_cast<uint8_t>(s)];
}

}  // namespace test
}  // namespace baton
