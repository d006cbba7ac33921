// SPDX-License-Identifier: MIT
//
// The lateness of events at a service, and the time of a computation in a handler, on Linux: under
// the ordinary scheduler and under SCHED_FIFO, with each setting of the kernel's throttle that the
// system allows. bench/suites/README.md describes each case.
#include "realtime/latency.hpp"
#include "realtime/payload.hpp"
#include "realtime/record.hpp"
#include "realtime/throttle.hpp"

namespace suite_realtime {
namespace {

constexpr uint64_t millisecond = 1000000;
constexpr long unlimited = -1, nearly_all = 999999, usual = 950000;

struct extents {
  extent latency, payload;
};
/// At most four settings with two schedulings each: 24 seconds. The throttle's period is a second.
constexpr extents timed{{2000, 1000 * millisecond, 200000}, {5000, 2000 * millisecond, millisecond}};
/// Only the correctness matters where instructions are counted.
constexpr extents counted{{60, 1500 * millisecond, 200000}, {10, 2500 * millisecond, millisecond}};

void run(const extents& e, const std::string& throttle) {
  for (const demand d : {demand::nothing, demand::fifo}) {
    print_record("latency", d, throttle, latency(d, e.latency).run());
    print_record("payload", d, throttle, payload(d, e.payload).run());
  }
}

void run_all() {
  const bool counts = baton::board::meter::counts();
  const throttle t(throttle::system_file, !counts);
  t.under_each({unlimited, nearly_all, usual}, [&](const std::string& name) { run(counts ? counted : timed, name); });
}

}  // namespace
}  // namespace suite_realtime

int main() {
  baton::board::start();
  suite_realtime::run_all();
  baton::bench::finish();
}
