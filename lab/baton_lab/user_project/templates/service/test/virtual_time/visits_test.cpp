#include "../../src/visits.hpp"

#include "../check.hpp"

using namespace baton::service;
using namespace baton::literals;

/// Visits twice, and waits: for over a minute, which takes no time here.
struct visitor {
  visitor(required<visits> seen, context here) { here.spawn(visit(seen, here)); }

  static baton::async::task<> visit(required<visits> seen, context here) {
    seen->add();
    CHECK(co_await baton::async::sleep_for(30_s) == baton::status::ok);
    seen->add();
    CHECK(seen->count() == 2);
    CHECK(co_await baton::async::sleep_for(31_s) == baton::status::ok);
    CHECK(seen->count() == 1);
    CHECK(co_await baton::async::sleep_for(30_s) == baton::status::ok);
    CHECK(seen->count() == 0);
    here.quit();
  }
};

int main() {
  application app;
  app.add<visits>();
  app.add<visitor>();
  const int code = app.run();
  CHECK(code == 0);
  return check::failures ? 1 : 0;
}
