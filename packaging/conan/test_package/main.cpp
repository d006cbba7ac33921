// SPDX-License-Identifier: MIT
//
// A program of two services, over an installed package.
#include <baton/core/version.hpp>
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::service;

struct counter {
  int count = 41;
};

struct printer {
  printer(required<counter> c, context here) {
    std::printf("Baton %s: %d services\n", BATON_VERSION_TEXT, ++c->count);
    here.quit();
  }
};

int main() {
  application app;
  app.add<printer>();
  app.add<counter>();
  return app.run();
}
