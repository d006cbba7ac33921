// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/print_cells.hpp>
#include <baton/kernel/syscalls.hpp>

/// The list of the times that tasks have run.
namespace baton {
namespace kernel {

namespace detail {

#ifdef BATON_TASK_TIMES
template <typename Sink>
void put_time_heading(Sink& sink) {
  put_cell(sink, BATON_TEXT("id"), 10);
  put_cell(sink, BATON_TEXT("name"), 13);
  put_cell(sink, BATON_TEXT("ran, in ticks"), 22);
  baton::spi::put_text(sink, BATON_TEXT("switches"));
  baton::spi::put_line_end(sink);
}

template <typename Sink>
void put_time(Sink& sink, const task_report& r) {
  {
    column<Sink> id(sink, 10);
    put_number(id, r.id, 16);
  }
  {
    column<Sink> name(sink, 13);
    put_name(name, r.name);
  }
  {
    column<Sink> ran(sink, 22);
    put_number(ran, r.time.ran);
  }
  put_number(sink, r.time.switches);
  baton::spi::put_line_end(sink);
}
#endif

/// Prints the time of each task, if the program counts it.
template <typename Sink>
void put_times(Sink& sink, const kernel_state& m) {
#ifdef BATON_TASK_TIMES
  put_time_heading(sink);
  for (const tcb* t = m.table; t != m.table + m.slots; ++t) {
    if (t->is_free()) continue;
    task_report said;
    report(m, *t, said);
    put_time(sink, said);
  }
#else
  static_cast<void>(sink);
  static_cast<void>(m);
#endif
}
template <typename Sink>
void put_times(Sink& sink) {
#ifdef BATON_TASK_TIMES
  put_time_heading(sink);
  task_report r;
  for (uint8_t slot = 0; inspect(slot, r); ++slot) {
    if (r.id != no_task) put_time(sink, r);
  }
#else
  static_cast<void>(sink);
#endif
}

}  // namespace detail

}  // namespace kernel
}  // namespace baton
