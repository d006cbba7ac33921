// SPDX-License-Identifier: MIT
// A stand-by, which is stopped, counts as a second provider and ends the program with code 12.
// Issue: Services and network.
#include "reproduction.hpp"

namespace {

struct database {};

struct user {
  user(required<database>, context here) { here.quit(); }
};

}  // namespace

int main() {
  application app;
  app.add<database>();
  app.add<database>().stopped();
  app.add<user>();
  expect(app.run() == 0, "a stand-by is no second provider");
  return outcome_of_expectations();
}
