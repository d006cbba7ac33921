// SPDX-License-Identifier: MIT
//
// The cost of a send with its receive and reply, and of a switch from task to task. This source
// makes two programs: one is compiled as usual, the other without optimization, kernel included.
// bench/suites/README.md describes each case.
#include "srr/floors.hpp"

#ifdef __OPTIMIZE__
#define OPTIMIZED "optimized=yes"
#else
#define OPTIMIZED "optimized=no"
#endif

namespace suite_srr {
namespace {

using baton::bench::measure;

#define ROW(name, params) \
  baton::bench::row(BATON_TEXT("srr"), BATON_TEXT(name), BATON_TEXT(params OPTIMIZED), rounds::count())

#define MEASURE(name, server, bytes)                                                             \
  measure<round_trip<server, bytes, more_urgent>, round_base<bytes>, minimal_round_trip<bytes>>( \
      ROW(name, "bytes=" #bytes " first=receiver "));                                            \
  measure<round_trip<server, bytes, less_urgent>, round_base<bytes>, minimal_round_trip<bytes>>( \
      ROW(name, "bytes=" #bytes " first=sender "))

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
  baton::bench::finish();
}

}  // namespace
}  // namespace suite_srr

int main() {
  using namespace suite_srr;
  baton::board::start();
  measured_kernel.create(kernel::describe_privileged(measuring, &measure_all, measuring_stack, "measuring"));
  measured_kernel.run();
}
