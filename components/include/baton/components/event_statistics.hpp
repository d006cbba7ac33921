// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/event_table.hpp>
#include <baton/service/context.hpp>
#include <vector>

namespace baton::BATON_VARIANT::components {

/// Counts the events of its worker, and how long their handlers take.
///
/// Shape    a row for each type of event that has come up, from an interceptor before and one after events of all types. What interceptors that were
///          registered later take is counted with the handlers.
/// Units    ticks. A handler that is a coroutine counts until it waits for the first time.
/// Context  its worker's thread, while it lives. Functions that are run are no events. An event that an interceptor stops is counted; one whose handler
///          throws is counted as failed when the next one comes.
/// Cost     two looks at the clock an event.
class event_statistics {
 public:
  explicit event_statistics(service::context here)
      : before_(here.before_any([this](const service::any_event& e) { begin(e.info().type); })),
        after_(here.after_any([this](const service::any_event& e) { end(e.info().type); })) {}

  /// A row a type, in the order of their names.
  event_table table() const {
    event_table all;
    all.rows.assign(rows_.begin(), rows_.end());
    all.sort();
    return all;
  }
  /// It counts from 0 again.
  void clear() {
    rows_.clear();
    is_open_ = false;
  }

 private:
  void begin(std::string_view type) {
    if (is_open_) ++row(open_).failed;  // nobody has heard its end
    is_open_ = true;
    open_ = type;
    began_ = port::now();
  }
  void end(std::string_view type) {
    // One that was stopped before it came here has not begun.
    const tick took = is_open_ ? port::now() - began_ : 0;
    is_open_ = false;
    row(type).add(took);
  }

  /// A worker has few types of events, and the last is often the next.
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
