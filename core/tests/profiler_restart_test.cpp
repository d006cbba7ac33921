// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

struct twice : coroutine<twice> {
  point step(point at) {
    BATON_BEGIN();
    BATON_YIELD();
    BATON_END();
  }
};

}  // namespace

TEST_CASE("a coroutine with bins attached is timed when restart() is what starts it") {
  log_bins bins;
  profiled<twice> c;
  c.attach(bins);
  c.restart();
  scheduler::run();
  CHECK_EQ(bins.bin[0], 2);
}

TEST_CASE("a restart keeps the bins attached") {
  log_bins bins;
  profiled<twice> c;
  c.attach(bins);
  c.start();
  scheduler::run();
  c.restart();
  scheduler::run();
  CHECK_EQ(bins.bin[0], 4);
}
