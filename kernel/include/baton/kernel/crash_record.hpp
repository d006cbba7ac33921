// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/types.hpp>

namespace baton {
namespace kernel {

/// The last crash of a task, in memory that a reset leaves alone: the next start prints it.
///
///     BATON_KEPT_MEMORY kernel::crash_record last_crash;   // no initializer
///
///     if (last_crash.take(r)) kernel::print_end(sink, r);  // in main
///     last_crash.keep(r);                                  // in the supervisor's listener
///
/// Shape    it has no constructor, because what lies there must stay. A checksum tells a record
///          from what the memory holds after power-on.
/// Context  one task at a time
class crash_record {
 public:
  /// Keeps a report in place of the former one, and the name with it.
  void keep(const end_report& r) {
    kept_ = {};
    kept_.report = r;
    for (word i = 0; r.name && i != longest_task_name && r.name[i]; ++i) kept_.name[i] = r.name[i];
    checksum_ = sum();
  }

  /// Takes the report that was kept before the last reset. false: there is none.
  /// Context  the name of the report is valid as long as this object.
  bool take(end_report& r) {
    if (checksum_ != sum()) return false;
    r = kept_.report;
    if (r.name) r.name = kept_.name;
    checksum_ = ~checksum_;
    return true;
  }

 private:
  struct kept {
    end_report report;
    char name[longest_task_name + 1];
  };

  /// Source   FNV-1a, 32 bits. Zeros, and a number that was inverted, have another sum.
  uint32_t sum() const {
    uint32_t hash = 2166136261u;
    const unsigned char* const bytes = reinterpret_cast<const unsigned char*>(&kept_);
    for (word i = 0; i != sizeof kept_; ++i) hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
  }

  uint32_t checksum_;
  kept kept_;
};

}  // namespace kernel
}  // namespace baton
