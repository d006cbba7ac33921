// SPDX-License-Identifier: MIT
#pragma once

#include "result.hpp"

// The time from a moment that was set beforehand to the handler of an event: a thread wakes at that
// moment and posts the event to a worker that sleeps.

namespace suite_realtime {

struct latency : program {
  static constexpr uint64_t period_ns = 500000;
  static constexpr uint32_t first_ones = 20;  // not in the histogram: their memory is touched for the first time

  latency(demand d, const extent& e) : program(d), size_(e), found_(e.deadline_ns) {
    listener_.run([this] {
      found_.system = grant::here(wants);
      is_ready_ = app.post(poster_, ready{}) == baton::status::ok;
      if (!is_ready_) listener_.quit();
    });
  }

  result run() {
    found_.has_run_well = runs_well();
    return found_;
  }

 private:
  struct ready {};
  struct beat {
    uint64_t due;
    uint32_t number;
  };

  /// Runs on the poster's thread. A late beat does not delay the next.
  void post_all() {
    const uint64_t begin = now_ns();
    uint64_t due = begin + period_ns;
    for (uint32_t n = 0; n != size_.events && now_ns() - begin < size_.limit_ns; ++n, due += period_ns) {
      sleep_until_ns(due);
      ++pushed_;
      if (app.post(listener_, beat{due, n}) != baton::status::ok) break;
    }
    if (app.post(listener_, over{}) != baton::status::ok) app.quit(1);
  }
  void hear(const beat& b) {
    const uint64_t late = now_ns() - b.due;
    if (b.number >= first_ones) found_.note(late);
    if (b.number == found_.handled) ++found_.handled;  // the numbers have to come in order
  }

  const extent size_;
  result found_;
  uint64_t pushed_ = 0;  // written by the poster's thread, until it posts the end
  bool is_ready_ = false;
  service::context listener_ = app.add_worker("listener", thread(has.last, 50));
  service::context poster_ = app.add_worker("poster", thread(has.first, 51));
  service::registration hears_ = listener_.on<beat>([this](const beat& b) { hear(b); });
  service::registration hears_end_ = listener_.on<over>([this](const over&) {
    found_.pushed = pushed_;
    listener_.quit();
  });
  service::registration begins_ = poster_.on<ready>([this](const ready&) { post_all(); });
};

}  // namespace suite_realtime
