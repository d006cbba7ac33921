// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "counted.hpp"
#include "floors_registry.hpp"

// The cases start and start_stop, on the minimal registry.

namespace suite_service {
namespace minimal {

enum interfaces : interface_id { a_sink, a_logger, loggers_too, a_provider, nobody_needs };

struct logger {
  logger() = default;
  logger(const logger&) = delete;
  logger& operator=(const logger&) = delete;
  virtual void log(std::string_view text) = 0;

 protected:
  ~logger() = default;
};
struct null_logger final : service, logger {
  void log(std::string_view) override {}
};
struct sink final : service {};

/// Makes a logger for each service that asks for one.
struct loggers final : service {
  loggers() { needs(a_sink, at); }

  static void make(void* self, service& requester) {
    if (requester.made != 0) return;
    auto* const made = new null_logger;
    requester.made = static_cast<loggers*>(self)->in->add(made, a_logger, static_cast<logger*>(made), requester.number);
  }
  static void take_back(void* self, service& requester) {
    if (requester.made != 0) static_cast<loggers*>(self)->in->stop(requester.made, true);
  }
  void start() override { in->set_maker(a_logger, {this, &make, &take_back}); }
  void stop() override {
    in->set_maker(a_logger, {});  // a quit stops the loggers, too
  }

  sink* at = nullptr;
};

/// A registry with the maker of loggers.
struct program {
  registry all;

  program() = default;
  void add_loggers() {
    auto* const s = new sink;
    all.add(s, a_sink, s);
    auto* const l = new loggers;
    all.add(l, loggers_too, l);
  }
};

template <uint32_t N>
struct started : program {
  struct one final : service {
    explicit one(started& p) : in_program(p) { needs(a_logger, log); }
    ~one() override { ++in_program.gone; }
    void start() override {
      log->log("started");
      if (++in_program.began == N) in->quit();
    }

    started& in_program;
    logger* log = nullptr;
  };

  void run() {
    add_loggers();
    for (uint32_t i = 0; i != N; ++i) {
      auto* const s = new one(*this);
      all.add(s, nobody_needs, s);
    }
    all.at.run();
  }
  counted finish() const { return only_if(all.at.is_over && began == gone, {N, gone}); }

  uint64_t began = 0, gone = 0;
};

struct start_stop : program {
  explicit start_stop(uint32_t n) : cycles(n) {}

  struct provider final : service {
    explicit provider(start_stop& p) : in_program(p) { needs(a_logger, log); }
    void start() override { ++in_program.providers; }

    start_stop& in_program;
    logger* log = nullptr;
  };
  struct dependant final : service {
    explicit dependant(start_stop& p) : in_program(p) {
      needs(a_logger, log);
      needs(a_provider, needed);
    }
    void start() override { in_program.cycle(); }
    void stop() override {
      if (!in_program.is_ending) in->start(in_program.pair);
    }

    start_stop& in_program;
    logger* log = nullptr;
    provider* needed = nullptr;
  };

  void cycle() {
    if (started++ == cycles) {
      is_ending = true;
      all.quit();
    } else {
      all.stop(pair, false);
    }
  }
  void run() {
    add_loggers();
    auto* const p = new provider(*this);
    pair = all.add(p, a_provider, p);
    auto* const d = new dependant(*this);
    all.add(d, nobody_needs, d);
    all.at.run();
  }
  counted finish() const { return only_if(all.at.is_over && providers == started, {cycles, started - 1}); }

  uint32_t cycles;
  uint64_t started = 0, providers = 0;
  bool is_ending = false;
  uint32_t pair = 0;
};

}  // namespace minimal
}  // namespace suite_service
