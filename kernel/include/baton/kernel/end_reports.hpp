// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/system.hpp>

namespace baton {
namespace kernel {

namespace detail {

/// A report that was not taken.
struct kept_report {
  end_report report;
  tid to = no_task;  // whom it is for; no_task: there is none
  word order = 0;
};

/// The reports of a kernel, of any number.
class end_report_table : end_listener {
 public:
  end_report_table(kernel_state& m, kept_report* reports, uint8_t size)
      : end_listener{&keep, &take_oldest}, reports_(reports), size_(size) {
    m.ends = this;
  }
  end_report_table(const end_report_table&) = delete;
  end_report_table& operator=(const end_report_table&) = delete;

  /// Gives a task the reports on tasks whose makers have ended, or that main has made.
  /// Context  main, before `run`
  void give_orphans_to(tid id) { of_orphans_ = id; }

 private:
  /// Keeps the report for the nearest maker that lives, and passes on to it those that the task has
  /// not taken.
  static void keep(kernel_state& m, end_listener& l, const tcb& t, ending how, const failure* f) {
    end_report_table& self = static_cast<end_report_table&>(l);
    tcb* to = parent_of(m, &t);
    if (!to) to = m.find(self.of_orphans_);
    if (to == &t) to = nullptr;
    self.pass_on(t.id, to);
    if (!to) return;
    kept_report& kept = self.place();
    kept.report = {};
    kept.report.id = t.id;
    kept.report.name = t.name;
    kept.report.how = how;
    if (f) add_failure(kept.report, *f);
    kept.order = ++self.last_;
    kept.to = to->id;
    notify_of_end(m, to);
  }

  static void add_failure(end_report& r, const failure& f) {
    r.why = f.why;
    r.address = f.address;
    if (f.registers) r.registers = *f.registers;
  }

  /// Gives the reports for one task to another one, or to none.
  void pass_on(tid from, const tcb* to) {
    walk<8> w;
    for (kept_report* kept = reports_; kept != reports_ + size_; ++kept) {
      w.step();
      if (kept->to == from) kept->to = to ? to->id : no_task;
    }
  }

  /// The place for another report: a free one or, if there is none, the oldest report's.
  kept_report& place() {
    if (kept_report* free = oldest_for(no_task)) return *free;
    if (lost_ != 255) ++lost_;
    return *oldest_for(any_task);
  }

  kept_report* oldest_for(tid to) const {
    kept_report* oldest = nullptr;
    walk<8> w;
    for (kept_report* kept = reports_; kept != reports_ + size_; ++kept) {
      w.step();
      if (kept->to != to && to != any_task) continue;
      if (!oldest || last_ - kept->order > last_ - oldest->order) oldest = kept;
    }
    return oldest;
  }

  static tcb* take_oldest(kernel_state& m, end_listener& l, request& r) {
    end_report_table& self = static_cast<end_report_table&>(l);
    kept_report* const oldest = self.oldest_for(m.running->id);
    if (!oldest) return refuse(m, r, error::would_wait);
    oldest->to = no_task;
    oldest->report.lost = self.lost_;
    self.lost_ = 0;
    *reinterpret_cast<end_report*>(as_take_end_report(r).report()) = oldest->report;
    return complete(m, r);
  }

  static constexpr tid any_task = static_cast<tid>(-1);

  kept_report* const reports_;
  const uint8_t size_;
  uint8_t lost_ = 0;
  tid of_orphans_ = no_task;
  word last_ = 0;
};

}  // namespace detail

/// Reports on the ends of tasks, for their makers: who has ended, how, and of a fault where.
///
///     BATON_KERNEL_MEMORY baton::kernel::system<8> program;
///     BATON_KERNEL_MEMORY baton::kernel::end_reports<4> reports{program};
///
///     end_report r;                 // in the task that has made the others
///     wait_end_report(r);
///
/// Shape    room for as many reports as it says, which nobody has taken yet: if there are more, the
///          oldest is lost, and the next report that is taken says so. A program without them holds
///          neither this nor its code.
/// Context  made before `run`; it outlives that. A report is for the task's maker or, if that has
///          ended, for the nearest maker before it, which also gets the reports that the maker had
///          not taken. With a report comes the bit `ended_notification`, so that a server hears of
///          it in its `receive` if its mask has that bit.
/// Cost     O(reports) at the end of a task, and at `take_end_report`
template <uint8_t Reports>
class end_reports : public detail::end_report_table {
  static_assert(Reports >= 1, "room for at least one report");

 public:
  explicit end_reports(kernel_state& m) : end_report_table(m, reports_, Reports) {}

 private:
  detail::kept_report reports_[Reports];
};

}  // namespace kernel
}  // namespace baton
