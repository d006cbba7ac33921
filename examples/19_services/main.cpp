// SPDX-License-Identifier: MIT
//
// The smallest program of services: an event, a service, and one that is given it and hears the event.
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::service;

/// An event: any struct.
struct tick {};

/// A service: any class.
struct counter {
  int count = 42;
};

/// What its constructor asks for is there when it is made, and until it is gone.
struct printer {
  printer(required<counter> c, context here)
      : heard(here.on<tick>([=](const tick&) {
          std::printf("tick %d\n", c->count++);
          here.quit();
        })) {}
  registration heard;  // while this lives
};

int main() {
  application app;
  app.add<printer>();
  app.add<counter>();  // the order does not matter
  app.main().push(tick());
  return app.run();
}
