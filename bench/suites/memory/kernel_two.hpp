// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel.hpp>

#include "program.hpp"

// A client that sends to a server.

namespace kernel = baton::kernel;

constexpr kernel::word enough = sizeof(kernel::word) == 2 ? 192 : 512, least = baton::kernel_port::least_stack;
using two_stack = kernel::stack<(least > enough ? least : enough)>;

inline void echo() {
  int got = 0;
  kernel::received m = kernel::receive(&got, sizeof got);
  for (;;) m = kernel::reply_receive(m.client, &got, sizeof got, &got, sizeof got);
}

inline void ask(kernel::tid server) {
  for (int n = 0;; ++n) {
    int answer = 0;
    work = static_cast<int>(kernel::send(server, &n, sizeof n, &answer, sizeof answer).length()) + answer;
    kernel::sleep(baton::ticks(10));
  }
}
