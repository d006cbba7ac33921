// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel.hpp>

#include "program.hpp"

// Two tasks that together use every call of the kernel, for programs with one or more free places.

namespace kernel = baton::kernel;

constexpr kernel::word enough = sizeof(kernel::word) == 2 ? 192 : 512, least = baton::kernel_port::least_stack;
using task_stack = kernel::stack<(least > enough ? least : enough)>;

BATON_KERNEL_MEMORY static task_stack client_stack, server_stack;

inline void serve(void*) {
  int got = 0;
  kernel::received m = kernel::receive(&got, sizeof got);
  for (;;) {
    work = got;
    if (got < 0) kernel::exit();
    if (got == 1) {
      kernel::reply(m.client, &got, sizeof got);
      m = kernel::receive(&got, sizeof got);
    } else {
      m = kernel::reply_receive(m.client, &got, sizeof got, &got, sizeof got);
    }
  }
}

/// Makes the calls over and over, and then those of `More` with the server's id.
template <void (*More)(kernel::tid)>
inline void ask_and(void*) {
  const kernel::tid server = kernel::create(kernel::describe(2, serve, server_stack, "server")).id;
  kernel::task_report report;
  for (int n = 0;; ++n) {
    int answer = 0;
    work = static_cast<int>(kernel::send(server, &n, sizeof n, &answer, sizeof answer, baton::ticks(1000)).length()) +
           answer;
    kernel::wait_interrupt_event(0, baton::ticks(1000));
    kernel::notify(kernel::my_tid(), 1);
    work = static_cast<int>(kernel::wait_notification(1, baton::ticks(1000)).bits);
    kernel::sleep(baton::ticks(10));
    work = static_cast<int>(kernel::now());
    kernel::yield();
    if (kernel::inspect(0, report) && kernel::parent() != kernel::no_task) kernel::kill(server);
    More(server);
  }
}

inline void nothing_more(kernel::tid) {}

inline void ask(void* argument) {
  ask_and<nothing_more>(argument);
}
