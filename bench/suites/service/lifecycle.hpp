// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "events.hpp"

// Services that are constructed, started and stopped: the cases start and start_stop of the suite
// service.

namespace suite_service {

struct logger {
  logger() = default;
  logger(const logger&) = delete;
  logger& operator=(const logger&) = delete;
  virtual ~logger() = default;
  virtual void log(std::string_view text) = 0;
};
struct null_logger final : logger {
  void log(std::string_view) override {}
};
/// The dependency of the loggers.
struct sink {};
/// Makes a logger for each service that asks for one.
struct loggers {
  loggers(service::required<sink>, service::context here)
      : makes(here.make_for_each<logger>([](const service::request& r) { r.make<null_logger, logger>(); })) {}
  service::factory makes;
};

/// An application of `N` services, each with a logger of its own. It ends when all have started.
template <uint32_t N>
struct started : program {
  struct one {
    one(service::required<logger> l, service::context c, started* p) : log(l), here(c), in(p) {}
    one(const one&) = delete;
    one& operator=(const one&) = delete;
    ~one() { ++in->gone; }
    void start() {
      log->log("started");
      if (++in->began == N) here.quit();
    }

    service::required<logger> log;
    service::context here;
    started* in;
  };

  void run() {
    app.add<sink>();
    app.add<loggers>();
    for (uint32_t i = 0; i != N; ++i) app.add<one>(this);
    program::run();
  }
  counted finish() const { return only_if(ran_well() && began == gone, {N, gone}); }

  uint64_t began = 0, gone = 0;
};

/// As many such applications, one after the other, as make up so many services or events.
template <uint32_t N, template <uint32_t> typename Application>
struct in_rounds {
  explicit in_rounds(uint32_t total) {
    for (uint32_t i = 0; i != total; i += N) each.push_back(std::make_unique<Application<N>>());
  }
  void run() {
    for (auto& a : each) a->run();
  }
  counted finish() const {
    counted sum;
    for (const auto& a : each) sum += a->finish();
    return sum;
  }

  std::vector<std::unique_ptr<Application<N>>> each;
};
/// A service and its dependant. The dependant stops the service, which first stops the dependant
/// itself, and starts it again.
struct start_stop : program {
  explicit start_stop(uint32_t n) : cycles(n) {}

  struct interface {};
  struct provider : interface {
    provider(service::required<logger>, start_stop* in) { ++in->providers; }
  };
  struct dependant {
    dependant(service::required<logger>, service::required<interface>, service::context c, start_stop* p)
        : here(c), in(p) {}
    void start() { in->cycle(here); }
    void stop() {
      if (!in->is_ending) here.start(in->pair);
    }

    service::context here;
    start_stop* in;
  };

  /// Called when the dependant has started.
  void cycle(service::context at) {
    if (started++ == cycles) {
      is_ending = true;
      at.quit();
    } else {
      at.stop(pair);
    }
  }
  void run() {
    app.add<sink>();
    app.add<loggers>();
    pair = app.add<provider, interface>(this);
    app.add<dependant>(this);
    program::run();
  }
  /// The first start does not count.
  counted finish() const { return only_if(ran_well() && providers == started, {cycles, started - 1}); }

  uint32_t cycles;
  uint64_t started = 0, providers = 0;
  bool is_ending = false;
  service::service_id pair;
};

}  // namespace suite_service
