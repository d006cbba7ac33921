// SPDX-License-Identifier: MIT
// A service that requires two providers of one interface gets the same twice: filters are by
// interface.
// Issue: Services and network.
#include "reproduction.hpp"

namespace {

struct database {
  std::string name;
  explicit database(std::string n) : name(std::move(n)) {}
};

struct copier {
  copier(required<database> from, required<database> to, context here) {
    expect(from->name != to->name, "the two are not the same");
    here.quit();
  }
};

}  // namespace

int main() {
  application app;
  app.add<database>(std::string("main")).with("role", "main");
  app.add<database>(std::string("replica")).with("role", "replica");
  app.add<copier>().where<database>([](const properties& p) {
    const auto* role = p.find<std::string>("role");
    return role && *role == "main";
  });
  expect(app.run() == 0, "the program ends well");
  return outcome_of_expectations();
}
