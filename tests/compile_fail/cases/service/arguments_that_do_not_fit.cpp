// SPDX-License-Identifier: MIT
// error: no constructor of this service fits: its parameters are required<I>, current<I>, optional<I>
// lines: 24
#include <baton/service.hpp>

struct logger {};
struct shop {
  shop(baton::service::required<logger>, int) {}
};

void fill(baton::service::application& app) {
#if FAILS
  app.add<shop>("seven");
#else
  app.add<shop>(7);
#endif
}
