// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>

#include "result.hpp"

// The same computation again and again, each in the handler of an event of high priority, without a
// pause. The processor is never given back, so the throttle shows if there is one.

namespace suite_realtime {

/// Each step depends on the one before.
BATON_NOINLINE uint64_t compute(uint64_t seed) {
  constexpr uint32_t steps = 250000;
  for (uint32_t i = 0; i != steps; ++i) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
  }
  return seed;
}

struct payload : program {
  payload(demand d, const extent& e) : program(d), size_(e), found_(e.deadline_ns) {
    worker_.run([this] {
      found_.system = grant::here(wants);
      begin_ = now_ns();
      push(0);
    });
  }

  result run() {
    found_.has_run_well = runs_well();
    return found_;
  }

 private:
  static constexpr uint64_t seed = 88172645463325252u;
  struct piece {
    uint64_t seed;
    uint32_t number;
  };

  void push(uint32_t number) {
    const bool is_queued = worker_.push(piece{seed, number}, service::priority::high) == baton::status::ok;
    ++found_.pushed;
    if (!is_queued) worker_.quit(1);
  }
  void work(const piece& p) {
    const uint64_t from = now_ns();
    const uint64_t made = compute(p.seed);
    const uint64_t to = now_ns();
    found_.note(to - from);
    if (made == expected_ && p.number == found_.handled) ++found_.handled;
    if (p.number + 1 == size_.events || to - begin_ >= size_.limit_ns) return worker_.quit();
    push(p.number + 1);
  }

  const extent size_;
  const uint64_t expected_ = compute(seed);
  result found_;
  uint64_t begin_ = 0;
  service::context worker_ = app.add_worker("worker", thread(has.last, 50));
  service::registration works_ = worker_.on<piece>([this](const piece& p) { work(p); });
};

}  // namespace suite_realtime
