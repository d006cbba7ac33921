// SPDX-License-Identifier: MIT
#include <baton/async/generator.hpp>
#include <baton/test/check.hpp>

using namespace baton;

namespace {

async::generator<int> squares_below(int limit, int& alive) {
  struct counted {
    explicit counted(int& n) : to(&n) { ++*to; }
    counted(const counted&) = delete;
    ~counted() { --*to; }
    int* to;
  } c(alive);
  for (int i = 0; i * i < limit; ++i) co_yield i* i;
}

}  // namespace

TEST_CASE("a generator makes values as they are read, and is destroyed in the middle of them") {
  int alive = 0;
  int sum = 0;
  for (int n : squares_below(50, alive)) sum += n;
  CHECK_EQ(sum, 0 + 1 + 4 + 9 + 16 + 25 + 36 + 49);
  CHECK_EQ(alive, 0);
  {
    auto g = squares_below(1000, alive);
    auto i = g.begin();
    ++i;
    ++i;
    CHECK_EQ(*i, 4);
    CHECK_EQ(alive, 1);
  }
  CHECK_EQ(alive, 0);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("a generator is read once: a second begin is refused, in the middle, after the end and without a value") {
  int alive = 0;
  auto g = squares_below(10, alive);
  {
    const auto first = g.begin();
    CHECK_EQ(*first, 0);
    CHECK_TRAPS(generator_read_twice, g.begin());
    CHECK_EQ(*first, 0);  // the first reader still has its place
  }
  auto whole = squares_below(10, alive);
  for (const int n : whole) CHECK(n < 10);
  CHECK_TRAPS(generator_read_twice, whole.begin());
  auto nothing = squares_below(0, alive);
  for (const int n : nothing) CHECK_EQ(n, -1);
  CHECK_TRAPS(generator_read_twice, nothing.begin());
  auto moved = static_cast<async::generator<int>&&>(nothing);
  for (const int n : nothing) CHECK_EQ(n, -1);  // empty: it has no values, however often it is read
  for (const int n : nothing) CHECK_EQ(n, -1);
  CHECK_TRAPS(generator_read_twice, moved.begin());
}
