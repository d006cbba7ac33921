// SPDX-License-Identifier: MIT
//
// The benchmark Thread-Metric on the kernel, written from its description: the six cases that the
// kernel has services for. bench/suites/README.md describes each, and its differences from the
// original.
#include "thread_metric/cases.hpp"

namespace suite_thread_metric {
namespace {

using baton::bench::measure;
using baton::bench::none;

#define ROW(name, counters) \
  baton::bench::row(BATON_TEXT("thread_metric"), BATON_TEXT(name), BATON_TEXT(""), (counters) * turns::count())

/// Has privileges, because it prints.
void measure_all(void*) {
  measure<cooperative, none, none>(ROW("cooperative", threads));
  measure<preemptive, none, none>(ROW("preemptive", threads));
  measure<interrupt, none, none>(ROW("interrupt", 1));
  measure<interrupt_preemption, none, none>(ROW("interrupt_preemption", 1));
  measure<message, none, none>(ROW("message", 1));
  measure<synchronization, none, none>(ROW("synchronization", 1));
  baton::bench::finish();
}

}  // namespace
}  // namespace suite_thread_metric

extern "C" __attribute__((used, externally_visible)) void baton_software_handler() {
  using namespace suite_thread_metric;
  interrupts = interrupts + 1;
  kernel::from_interrupt::raise_event(measured_kernel, event);
}

int main() {
  using namespace suite_thread_metric;
  baton::board::start();
  baton::board::enable_interrupt(baton::board::software_interrupt);
  measured_kernel.create(kernel::describe_privileged(measuring, &measure_all, measuring_stack, "measuring"));
  measured_kernel.run();
}
