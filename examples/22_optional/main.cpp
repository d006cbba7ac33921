// SPDX-License-Identifier: MIT
//
// A dependency that comes and goes: a service that can do without it is told, and one that cannot is stopped and started again.
#include <baton/service.hpp>
#include <cstdio>

namespace async = baton::async;
using namespace baton::service;

struct thermometer {
  double celsius = 21.5;
};

/// It shows what there is.
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

/// It cannot be without.
struct heating {
  explicit heating(required<thermometer>) {}
  void start() { std::puts("heating: on"); }
  void stop() { std::puts("heating: off"); }
};

/// Each step waits until the one before has had all its consequences.
async::task<> change_things(context here) {
  const service_id first = here.add<thermometer>();
  co_await here.started(first);
  co_await async::sleep_for(baton::milliseconds(1));
  std::puts("- it is taken away");
  here.remove(first);
  co_await here.stopped(first);
  co_await async::sleep_for(baton::milliseconds(1));
  std::puts("- there is another");
  const service_id second = here.add<thermometer>();
  co_await here.started(second);
  co_await async::sleep_for(baton::milliseconds(1));
  std::puts("- the end");
  here.quit();
}

int main() {
  options o;
  o.waits_for_providers = true;  // who lacks something waits for it; otherwise that is a mistake, and is told
  application app(o);
  app.add<display>();
  app.add<heating>();
  app.main().run(change_things(app.main()));
  return app.run();
}
