// SPDX-License-Identifier: MIT
//
// The cost of a send with its receive and reply, and of a switch from task to task. This source
// makes up to three programs: one is compiled as usual, one without optimization, kernel included,
// and one with private tasks.
// bench/suites/README.md describes each case.
#include "srr/creation.hpp"
#include "srr/floors.hpp"
#include "srr/leases.hpp"

#ifdef BATON_PRIVATE_MEMORY
#define PROGRAM "memory=private optimized=yes"
#elif defined(__OPTIMIZE__)
#define PROGRAM "optimized=yes"
#else
#define PROGRAM "optimized=no"
#endif

namespace suite_srr {
namespace {

using baton::bench::measure;

#define ROW(name, params) \
  baton::bench::row(BATON_TEXT("srr"), BATON_TEXT(name), BATON_TEXT(params PROGRAM), rounds::count())

#define MEASURE_WITH(more, name, server, bytes)                                                  \
  measure<round_trip<server, bytes, more_urgent>, round_base<bytes>, minimal_round_trip<bytes>>( \
      ROW(name, "bytes=" #bytes " first=receiver " more));                                       \
  measure<round_trip<server, bytes, less_urgent>, round_base<bytes>, minimal_round_trip<bytes>>( \
      ROW(name, "bytes=" #bytes " first=sender " more))
#define MEASURE(name, server, bytes) MEASURE_WITH("", name, server, bytes)

#define MEASURE_COPIES(name, copies, bytes) \
  measure<lease_copies<copies, bytes>, copy_base<bytes>, baton::bench::none>(ROW(name, "bytes=" #bytes " "))

// ---- Larger tables, whose other slots are free: their size must not matter.

#if defined(BATON_SUITE_LARGE_TABLES) && defined(__OPTIMIZE__)
BATON_KERNEL_MEMORY kernel::system<48, 3, 1> kernel_of_48;
BATON_KERNEL_MEMORY kernel::system<200, 3, 1> kernel_of_200;

void measure_48(void*) {
  MEASURE_WITH("slots=48 ", "send_receive_reply", receives_and_replies, 4);
  MEASURE_WITH("slots=48 ", "reply_receive", replies_and_receives, 4);
  kernel_of_48.stop();
}
void measure_200(void*) {
  MEASURE_WITH("slots=200 ", "send_receive_reply", receives_and_replies, 4);
  MEASURE_WITH("slots=200 ", "reply_receive", replies_and_receives, 4);
  kernel_of_200.stop();
}

template <typename System>
void run(System& of, void (*measures)(void*)) {
  of.create(kernel::describe_privileged(measuring, measures, measuring_stack, "measuring"));
  of.run();
}
void measure_large_tables() {
  run(kernel_of_48, &measure_48);
  run(kernel_of_200, &measure_200);
}
#else
void measure_large_tables() {}
#endif

/// Has privileges, because it prints; the measured tasks have none.
void measure_all(void*) {
  MEASURE("send_receive_reply", receives_and_replies, 4);
  MEASURE("send_receive_reply", receives_and_replies, 64);
#if UINTPTR_MAX > 0xffff  // elsewhere a stack cannot hold two messages of that size
  MEASURE("send_receive_reply", receives_and_replies, 256);
#endif
  MEASURE("reply_receive", replies_and_receives, 4);
  MEASURE("reply_receive", replies_and_receives, 64);
#if UINTPTR_MAX > 0xffff
  MEASURE("reply_receive", replies_and_receives, 256);
#endif
  measure<task_switch, turn_base, minimal_switch>(ROW("task_switch", ""));
  MEASURE_COPIES("copy_from", copies_from, 4);
  MEASURE_COPIES("copy_from", copies_from, 64);
#if UINTPTR_MAX > 0xffff
  MEASURE_COPIES("copy_from", copies_from, 256);
#endif
  MEASURE_COPIES("copy_to", copies_to, 4);
  measure<creation<true>, creation_base, baton::bench::none>(ROW("create_by_privileged", ""));
  measure<creation<false>, creation_base, baton::bench::none>(ROW("create_by_unprivileged", ""));
  baton::bench::finish();
}

}  // namespace
}  // namespace suite_srr

int main() {
  using namespace suite_srr;
  baton::board::start();
  measure_large_tables();
  measured_kernel.create(kernel::describe_privileged(measuring, &measure_all, measuring_stack, "measuring"));
  measured_kernel.run();
}
