// SPDX-License-Identifier: MIT
//
// The smallest program of services: an event, a service, and a second service that requires the
// first and handles the event.
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::service;

/// An event: any struct.
struct tick {};

/// A service: any class.
struct counter {
  int count = 42;
};

/// Requires a counter, which exists as long as the printer does.
struct printer {
  printer(required<counter> c, context here)
      : heard(here.on<tick>([=](const tick&) {
          std::printf("tick %d\n", c->count++);
          here.quit();
        })) {}
  registration heard;  // the handler is called as long as this lives
};

int main() {
  application app;
  app.add<printer>();
  app.add<counter>();  // the order of the adds does not matter
  app.main().push(tick());
  return app.run();
}
