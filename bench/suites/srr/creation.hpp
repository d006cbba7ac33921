// SPDX-License-Identifier: MIT
#pragma once

#include "tasks.hpp"

// A task that makes a child and kills it before it runs: rows of the suite srr.

namespace suite_srr {

/// The maker's loop without the calls.
struct creation_base : workload {
  static void prepare() { wrong = 0; }
  static BATON_INLINE void run() {
    uint_fast16_t n = rounds::count();
    do {
      kernel::created c = {kernel::ipc_result(0), 1};
      __asm__ volatile("" : "+r"(c.id)::"memory");
      if (!c.id) wrong = 1;
    } while (--n);
  }
  static bool finish() { return !wrong; }
};

/// The kernel checks what a maker without privileges gives a child.
template <bool IsPrivileged>
struct creation : workload {
  static constexpr bool delimits = true;

  static void idle(void*) {}
  static void make(void*) {
    uint_fast16_t n = rounds::count();
    baton::board::meter::start();
    do {
      const kernel::created c =
          kernel::create(with_variables(kernel::describe(less_urgent, &idle, other_stack, "child")));
      if (!c || !kernel::kill(c.id)) wrong = 1;
    } while (--n);
    baton::board::meter::stop();
    ended = 1;
  }

  static void prepare() { wrong = ended = 0; }
  static void run() {
    kernel::task_description d = with_variables(kernel::describe(more_urgent, &make, one_stack, "maker"));
    d.is_privileged = IsPrivileged;
    if (!kernel::create(d)) wrong = 1;
  }
  static bool finish() { return ended && !wrong; }
};

}  // namespace suite_srr
