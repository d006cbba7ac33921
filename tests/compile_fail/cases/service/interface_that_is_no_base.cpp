// SPDX-License-Identifier: MIT
// error: a service provides what it is derived from
// lines: 24
#include <baton/service.hpp>

struct logger {};
#if FAILS
struct console {};
#else
struct console : logger {};
#endif

void fill(baton::service::application& app) {
  app.add<console, logger>();
}
