// SPDX-License-Identifier: MIT
//
// A worker whose thread asks the system for a processor, SCHED_FIFO and locked memory, and keeps a
// histogram of its latencies. Each refusal of the system is reported in a line, and the worker runs
// without; the output is the same either way. With any argument the program prints the refusals and
// the latencies.
#include <baton/service.hpp>
#include <baton/service/latency_histogram.hpp>
#include <cstdio>

using namespace baton::literals;
using namespace baton::service;
namespace async = baton::async;

struct beat {
  uint64_t due;
};

/// Handles a beat each millisecond, for as many as `beats`. Its events are handled before those of
/// normal priority.
struct control {
  static constexpr unsigned beats = 200;

  control(context c, latency_histogram& kept) : here(c), latencies(kept) {}
  void start() { here.spawn(clock()); }

  async::task<> clock() {
    uint64_t due = baton::port::now();
    for (unsigned n = 0; n != beats; ++n) {
      due += 1_ms;  // from the last due time, not from the arrival, so that delays do not add up
      const baton::status slept = co_await async::sleep_until(due);
      if (slept != baton::status::ok) co_return;
      here.push(beat{due}, priority::high);
    }
    here.push(beat{0}, priority::low);
  }
  void hear(const beat& b) {
    if (b.due == 0) return here.quit();
    latencies.note(baton::port::now() - b.due);
  }

  context here;
  latency_histogram& latencies;
  registration hears = here.on<beat>([this](const beat& b) { hear(b); });
};

int main(int argc, char**) {
  constexpr int no_such_processor = 100000;
  latency_histogram latencies(2_ms);
  size_t told = 0;

  application app;
  app.on_diagnostic([&](const std::string& line) {
    ++told;
    if (argc > 1) std::printf("  %s\n", line.c_str());
  });
  const context steady = app.add_worker("control", {-1, scheduling::fifo(50), true});
  app.add_worker("nowhere", {no_such_processor, {}, false});
  steady.add<control>(std::ref(latencies));
  const int code = app.run();

  std::puts(told != 0 && told == app.refusals() ? "told what was refused" : "not told what was refused");
  std::printf("%u of %u beats are accounted for\n", static_cast<unsigned>(latencies.count()), control::beats);
  if (argc > 1) {
    std::printf("  99 of 100 came within %u us, the last within %u us; more than 2 ms: %u\n",
                static_cast<unsigned>(latencies.permille(990) / 1000), static_cast<unsigned>(latencies.most() / 1000),
                static_cast<unsigned>(latencies.missed()));
  }
  return code;
}
