// SPDX-License-Identifier: MIT
//
// A factory: a logger for each service that asks for one, with that service's name and level.
#include <baton/components/console_logger.hpp>
#include <baton/components/logger_factory.hpp>
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::service;
using baton::components::console_logger;
using baton::components::logger;
using baton::components::logger_factory;

struct letter {
  int pages;
};

/// Does not choose its logger: the program does.
struct printer {
  printer(required<logger> l, context here, int capacity) : log(l), paper(capacity) {
    heard = here.on<letter>([this](const letter& one) { print(one); });
  }
  void start() { log->debug("warms up"); }
  void stop() { log->debug("cools down"); }

  void print(const letter& one) {
    if (one.pages > paper) return log->warning("no paper for " + std::to_string(one.pages) + " pages");
    paper -= one.pages;
    log->info("prints " + std::to_string(one.pages) + " pages");
  }

  required<logger> log;
  int paper;
  registration heard;
};

int main() {
  application app;
  app.add<logger_factory<console_logger>>(stdout).with("log_level", "warning");  // the default level
  app.add<printer>(3).named("first floor").with("log_level", "debug");
  app.add<printer>(100).named("second floor").with("log_level", "info");
  app.add<printer>(1).named("cellar");
  app.main().push(letter{2});
  app.main().push(letter{5});
  app.main().run([here = app.main()] { here.quit(); });
  return app.run();
}
