// SPDX-License-Identifier: MIT
// error: no constructor of this service fits: its parameters are required<I>, current<I>, optional<I>
// lines: 24
#include <baton/service.hpp>

struct logger {};
struct shop {
#if FAILS
  shop(baton::service::required<logger>, double, logger&) {}
#else
  shop(baton::service::required<logger>, double) {}
#endif
};

void fill(baton::service::application& app) {
  app.add<shop>(2.5);
}
