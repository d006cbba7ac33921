// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/event_table.hpp>
#include <baton/service/context.hpp>
#include <vector>

namespace baton::BATON_VARIANT::components {

/// Counts the events of its worker, and the time that their handlers take.
///
/// Shape    a row for each type of event that was handled. Two interceptors, one before and one
///          after all events, fill the rows; the time of interceptors that were registered later
///          counts as their handlers'.
/// Units    ticks. A handler that is a coroutine counts until it first waits.
/// Context  its worker's thread, as long as it lives. Functions that are run are not events. An
///          event that an interceptor stops is counted. An event whose handler throws is counted as
///          failed when the next event comes.
/// Cost     two reads of the clock per event.
class event_statistics {
 public:
  explicit event_statistics(service::context here)
      : before_(here.before_any([this](const service::any_event& e) { begin(e.info().type); })),
        after_(here.after_any([this](const service::any_event& e) { end(e.info().type); })) {}

  /// One row per type, sorted by name.
  event_table table() const {
    event_table all;
    all.rows.assign(rows_.begin(), rows_.end());
    all.sort();
    return all;
  }
  /// Begins to count from 0 again.
  void clear() {
    rows_.clear();
    is_open_ = false;
  }

 private:
  void begin(std::string_view type) {
    if (is_open_) ++row(open_).failed;  // the previous event never reached its end: its handler threw
    is_open_ = true;
    open_ = type;
    began_ = port::now();
  }
  void end(std::string_view type) {
    // An event that was stopped before this interceptor saw it has not begun.
    const tick took = is_open_ ? port::now() - began_ : 0;
    is_open_ = false;
    row(type).add(took);
  }

  /// The last row is looked at first, because the next event is often of the same type.
  event_row& row(std::string_view type) {
    if (last_ >= rows_.size() || rows_[last_].type != type) {
      for (last_ = 0; last_ != rows_.size() && rows_[last_].type != type; ++last_) {
      }
      if (last_ == rows_.size()) rows_.push_back(event_row{type});
    }
    return rows_[last_];
  }

  std::vector<event_row> rows_;
  size_t last_ = 0;
  std::string_view open_;
  tick began_ = 0;
  bool is_open_ = false;
  service::registration before_;
  service::registration after_;
};

}  // namespace baton::BATON_VARIANT::components
