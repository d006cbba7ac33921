// SPDX-License-Identifier: MIT
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::service;

struct order {
  int pieces;
};

struct stock {
  virtual ~stock() = default;
  virtual bool take(int pieces) = 0;
};

struct shelf final : stock {
  bool take(int pieces) override {
    if (pieces > left) return false;
    left -= pieces;
    return true;
  }
  int left = 10;
};

struct shop {
  shop(required<stock> s, context here)
      : sells(here.on<order>([=](const order& o) {
          std::printf("%d pieces: %s\n", o.pieces, s->take(o.pieces) ? "sold" : "not in stock");
        })) {}
  registration sells;
};

struct customer {
  customer(required<shop>, context here) {
    for (int pieces : {4, 5, 6}) static_cast<void>(here.push(order{pieces}));
    static_cast<void>(here.run([here] { here.quit(); }));
  }
};

int main() {
  application app;
  app.add<customer>();
  app.add<shop>();
  app.add<shelf, stock>();
  return app.run();
}
