// SPDX-License-Identifier: MIT
// Pairs that find each other by `where` cost the square of their number; the registry says services
// plus dependencies.
// Issue: Services and network.
#include <ctime>

#include "reproduction.hpp"

namespace {

struct database {};

struct user {
  explicit user(required<database>) {}
};

// Processor time of a start and a stop.
double seconds_for(int pairs) {
  const std::clock_t begin = std::clock();
  application app;
  for (int i = 0; i < pairs; ++i) {
    app.add<database>().with("role", i);
    app.add<user>().where<database>([i](const properties& p) { return p.get_or<int64_t>("role", -1) == i; });
  }
  app.main().run([here = app.main()] { here.quit(); });
  expect(app.run() == 0, "the program ends well");
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace

int main() {
  const double few = seconds_for(250);
  const double many = seconds_for(2000);
  std::printf("250 pairs: %.4f s; 2000: %.4f s\n", few, many);
  expect(many < 20 * few, "eight times the pairs cost less than twenty times as much");
  return outcome_of_expectations();
}
