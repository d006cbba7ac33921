// SPDX-License-Identifier: MIT
// error: a service is an object, and this class is abstract
// lines: 24
#include <baton/service.hpp>

struct logger {
  virtual ~logger() = default;
  virtual void log() = 0;
};
struct console : logger {
#if !FAILS
  void log() override {}
#endif
};

void fill(baton::service::application& app) {
  app.add<console, logger>();
}
