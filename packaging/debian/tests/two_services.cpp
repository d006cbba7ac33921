// SPDX-License-Identifier: MIT
//
// A service and another one that it requires.
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::service;

struct counter {
  int count = 41;
};

struct printer {
  printer(required<counter> c, context here) {
    std::printf("%d\n", ++c->count);
    here.quit();
  }
};

int main() {
  application app;
  app.add<printer>();
  app.add<counter>();
  return app.run();
}
