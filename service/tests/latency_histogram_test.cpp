// SPDX-License-Identifier: MIT
#include <algorithm>
#include <baton/service/latency_histogram.hpp>
#include <baton/test/trace.hpp>
#include <random>
#include <vector>

using namespace baton;
using service::latency_histogram;

TEST_CASE(
    "each length is in the bin that ends at it or after it, and the bins are in order and at most a quarter wide") {
  for (size_t b = 1; b != latency_histogram::bins; ++b) {
    const tick before = latency_histogram::end_of(b - 1);
    const tick end = latency_histogram::end_of(b);
    CHECK_WITH(before < end, b);
    CHECK_WITH(latency_histogram::bin_of(before + 1) == b, b);
    CHECK_WITH(latency_histogram::bin_of(end) == b, b);
    CHECK_WITH(b <= 8 || (end - before) * 4 <= before + 1, b);
  }
}

TEST_CASE("the worst, the misses and the parts of a thousand, against all lengths sorted") {
  std::mt19937_64 random(7);
  latency_histogram latencies(baton::ticks(50000));
  std::vector<tick> all;
  uint64_t missed = 0;
  for (int i = 0; i != 20000; ++i) {
    const tick took = random() % (tick{1} << (random() % 20));
    latencies.note(took);
    all.push_back(took);
    missed += took > 50000 ? 1 : 0;
  }
  std::sort(all.begin(), all.end());
  CHECK_EQ(latencies.count(), all.size());
  CHECK_EQ(latencies.missed(), missed);
  CHECK_EQ(latencies.least(), all.front());
  CHECK_EQ(latencies.most(), all.back());
  CHECK_EQ(latencies.permille(1000), all.back());
  for (const uint32_t part : {1u, 500u, 990u, 999u}) {
    const tick exact = all[(all.size() * part + 999) / 1000 - 1];
    CHECK_WITH(latencies.permille(part) >= exact, part);
    CHECK_WITH(latency_histogram::bin_of(latencies.permille(part)) == latency_histogram::bin_of(exact), part);
  }
}
