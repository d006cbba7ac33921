// SPDX-License-Identifier: MIT
#include <algorithm>
#include <baton/service/deadline_account.hpp>
#include <baton/test/trace.hpp>
#include <random>
#include <vector>

using namespace baton;
using service::deadline_account;

TEST_CASE(
    "each length is in the bin that ends at it or after it, and the bins are in order and at most a quarter wide") {
  for (size_t b = 1; b != deadline_account::bins; ++b) {
    const tick before = deadline_account::end_of(b - 1);
    const tick end = deadline_account::end_of(b);
    CHECK_WITH(before < end, b);
    CHECK_WITH(deadline_account::bin_of(before + 1) == b, b);
    CHECK_WITH(deadline_account::bin_of(end) == b, b);
    CHECK_WITH(b <= 8 || (end - before) * 4 <= before + 1, b);
  }
}

TEST_CASE("the worst, the misses and the parts of a thousand, against all lengths sorted") {
  std::mt19937_64 random(7);
  deadline_account account(50000);
  std::vector<tick> all;
  uint64_t missed = 0;
  for (int i = 0; i != 20000; ++i) {
    const tick took = random() % (tick{1} << (random() % 20));
    account.note(took);
    all.push_back(took);
    missed += took > 50000 ? 1 : 0;
  }
  std::sort(all.begin(), all.end());
  CHECK_EQ(account.count(), all.size());
  CHECK_EQ(account.missed(), missed);
  CHECK_EQ(account.least(), all.front());
  CHECK_EQ(account.most(), all.back());
  CHECK_EQ(account.permille(1000), all.back());
  for (const uint32_t part : {1u, 500u, 990u, 999u}) {
    const tick exact = all[(all.size() * part + 999) / 1000 - 1];
    CHECK_WITH(account.permille(part) >= exact, part);
    CHECK_WITH(deadline_account::bin_of(account.permille(part)) == deadline_account::bin_of(exact), part);
  }
}
