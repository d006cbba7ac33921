// SPDX-License-Identifier: MIT
// A generator that is read a second time crashes; nothing says that it may be read once only.
// Issue: Async.
#include <baton/async/generator.hpp>

#include "reproduction.hpp"

namespace {

async::generator<int> count(int n) {
  for (int i = 0; i < n; ++i) co_yield i;
}

}  // namespace

int main() {
  auto numbers = count(2);
  int values = 0;
  for (const int v : numbers) values += v;
  for (const int v : numbers) values += v;
  expect(values == 1, "the second time has nothing");
  return outcome_of_expectations();
}
