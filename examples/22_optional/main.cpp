// SPDX-License-Identifier: MIT
//
// A dependency that comes and goes. A service that can do without it is told of the change; one
// that requires it is stopped, and started again.
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::literals;
namespace async = baton::async;
using namespace baton::service;

struct thermometer {
  double celsius = 21.5;
};

/// Shows the thermometer if there is one.
struct display {
  explicit display(optional<thermometer> t) : from(t) {}
  void start() { show(); }
  void arrived(thermometer&) {
    std::puts("display: a thermometer has come");
    show();
  }
  void gone(thermometer&) { std::puts("display: the thermometer goes"); }

  void show() {
    if (from) {
      std::printf("display: %.1f degrees\n", from->celsius);
    } else {
      std::puts("display: -- degrees");
    }
  }
  optional<thermometer> from;
};

/// Cannot do without a thermometer.
struct heating {
  explicit heating(required<thermometer>) {}
  void start() { std::puts("heating: on"); }
  void stop() { std::puts("heating: off"); }
};

/// Each step waits until the one before has taken full effect.
async::task<> change_things(context here) {
  const service_id first = here.add<thermometer>();
  if (co_await here.started(first) != baton::status::ok) co_return;
  co_await async::sleep_for(1_ms);
  std::puts("- it is taken away");
  here.remove(first);
  if (co_await here.stopped(first) != baton::status::ok) co_return;
  co_await async::sleep_for(1_ms);
  std::puts("- there is another");
  const service_id second = here.add<thermometer>();
  if (co_await here.started(second) != baton::status::ok) co_return;
  co_await async::sleep_for(1_ms);
  std::puts("- the end");
  here.quit();
}

int main() {
  options o;
  o.waits_for_providers = true;  // a service may wait for a provider; otherwise a missing provider is a mistake
  application app(o);
  app.add<display>();
  app.add<heating>();
  app.main().run(change_things(app.main()));
  return app.run();
}
