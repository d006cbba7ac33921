// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"

#include <baton/kernel/domain.hpp>

namespace baton {
namespace test {

/// A program with coroutines beside its tasks.
template <uint8_t Places = 4, kernel::word Bytes = 64>
struct domain_program : program {
  explicit domain_program(kernel::priority urgency = 4) { CHECK(domain.create(machine, urgency, stack)); }

  kernel::coroutine_domain<Places, Bytes> domain;
  kernel::stack<65536> stack;
};

/// How an operation ended, as a text.
inline const char* text(status s) {
  const char* const names[] = {"ok",        "full",      "empty",     "closed",  "timed_out",
                               "cancelled", "peer_gone", "truncated", "no_right"};
  return names[static_cast<uint8_t>(s)];
}

}  // namespace test
}  // namespace baton
