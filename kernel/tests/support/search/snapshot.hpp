// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel.hpp>
#include <baton/kernel/end_reports.hpp>
#include <compare.hpp>
#include <search/alphabet.hpp>
#include <string.h>
#include <type_traits>

namespace baton {
namespace test {
namespace search {

constexpr uint8_t most_tasks = 4;
constexpr uint8_t most_reports = 2;
constexpr kernel::word room = 8;
constexpr unsigned char unwritten = 0xee;

using small_kernel = bare_kernel_of<most_tasks, 3, event_count>;

/// All that a step reads or changes, in one piece of memory: the kernel, the tasks' requests and
/// buffers, the clock, and the reference.
///
/// Shape    the kernel points into itself, so a snapshot is used only at the address where it was
///          made: a state is saved and restored as bytes.
struct snapshot {
  explicit snapshot(const bounds& b) : expected(b.slots, event_count) {
    new (kernel_bytes) small_kernel(b.slots);
    memset(requests, unwritten, sizeof requests);
    memset(begun, unwritten, sizeof begun);
    memset(in, unwritten, sizeof in);
    memset(lent, unwritten, sizeof lent);
    if (b.reports != 0) new (reports_bytes) kernel::detail::end_report_table(state(), kept, b.reports);
    expected.reports = b.reports;
    if (b.slice == 0) return;
    expected.slice = b.slice;
    new (slices_bytes) kernel::time_slices(state(), ticks(b.slice));
  }

  kernel::detail::end_report_table& reports() {
    return *reinterpret_cast<kernel::detail::end_report_table*>(reports_bytes);
  }
  small_kernel& state() { return *reinterpret_cast<small_kernel*>(kernel_bytes); }
  const small_kernel& state() const { return *reinterpret_cast<const small_kernel*>(kernel_bytes); }

  alignas(small_kernel) unsigned char kernel_bytes[sizeof(small_kernel)];
  alignas(kernel::time_slices) unsigned char slices_bytes[sizeof(kernel::time_slices)] = {};
  kernel::request requests[most_tasks];
  kernel::request begun[most_tasks];  // the request of a waiting task, as it was when the wait began
  unsigned char in[most_tasks][room];
  kernel::lease_list_of<2> leases[most_tasks] = {};  // the second one stands behind the list
  unsigned char lent[most_tasks][room];
  alignas(kernel::detail::end_report_table) unsigned char reports_bytes[sizeof(kernel::detail::end_report_table)] = {};
  kernel::detail::kept_report kept[most_reports] = {};
  uint32_t guards[most_tasks] = {};
  sim::clock clock = {};
  sim::interrupt alarm = {};
  reference expected;
};

static_assert(std::is_trivially_copyable<snapshot>::value, "a state is saved as bytes");
static_assert(sizeof(snapshot) % sizeof(uint64_t) == 0, "a state is compared by words");

}  // namespace search
}  // namespace test
}  // namespace baton
