// SPDX-License-Identifier: MIT
//
// Measures how long a call of the kernel masks interrupts, and how long it takes, where its work
// grows with the program: an interrupt, or the task that it wakes, waits so long.
// bench/suites/README.md describes each case.
#include "bounds/scenes.hpp"

namespace suite_bounds {
namespace {

/// Has privileges, because it prints and ends the others' tasks.
void measure_all(void*) {
  MEASURE("copy", "bytes=65535 aligned=no", copy);
  MEASURE("create", "bytes=65536", create_large);
  MEASURE("inspect", "bytes=65536", inspect_large);
  MEASURE("end_server", "clients=1 received=yes", end_server<1, true>);
  MEASURE("end_server", "clients=16 received=yes", end_server<16, true>);
  MEASURE("end_server", "clients=198 received=yes", end_server<most, true>);
  MEASURE("end_server", "clients=198 received=no", end_server<most, false>);
  MEASURE("end_client", "clients=198", end_client);
  MEASURE("send_behind", "clients=197", send_behind);
  MEASURE("raise_chain", "tasks=16", chain_rises);
  MEASURE("settle_chain", "tasks=16", chain_settles);
  MEASURE("time_out", "tasks=198", time_out);
  baton::bench::finish();
}

}  // namespace
}  // namespace suite_bounds

int main() {
  using namespace suite_bounds;
  baton_watches_masks = 1;  // the name is what counts
  baton::board::start();
  measured_kernel.create(kernel::describe_privileged(measuring, &measure_all, measuring_stack, "measuring"));
  measured_kernel.run();
}
