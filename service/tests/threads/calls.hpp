// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/service.hpp>
#include <baton/service/on_worker.hpp>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

/// The common parts of the tests of calls between workers: a log of all threads, and a provider.
namespace baton::calls_test {

using namespace service;

inline std::atomic<int> faults{0};
inline void check(bool holds, const char* what) {
  if (holds) return;
  ++faults;
  std::printf("missing: %s\n", what);
}

inline std::mutex lock;
inline std::string log;

inline void note(const std::string& line) {
  const std::lock_guard<std::mutex> hold(lock);
  log += (log.empty() ? "" : ", ") + line;
}
/// Returns all lines and clears the log.
inline std::string take_log() {
  const std::lock_guard<std::mutex> hold(lock);
  return std::exchange(log, std::string());
}
/// Compares the log with what it should be, and clears it.
inline void check_log(const char* expected) {
  const std::string got = take_log();
  if (got == expected) return;
  ++faults;
  std::printf("missing: %s\n    got: %s\n", expected, got.c_str());
}
inline bool has_noted(const char* line) {
  const std::lock_guard<std::mutex> hold(lock);
  return log.find(line) != std::string::npos;
}
/// Waits until a line is in the log; a test that waits in vain fails.
inline async::task<> until(const char* line) {
  for (int i = 0; i != 10000 && !has_noted(line); ++i) static_cast<void>(co_await async::sleep_for(1_ms));
  check(has_noted(line), line);
}

/// An application without signals, whose diagnostics go to `told`.
struct program : application {
  explicit program(options o = {}) : application(without_signals(o)) {
    on_diagnostic([this](const std::string& text) { told += text + "\n"; });
  }
  static options without_signals(options o) {
    o.ends_at_signals = false;
    return o;
  }
  std::string told;
};

/// A provider that only its own thread may touch.
struct store {
  explicit store(context c) : store(c, "store") {}
  store(context c, const char* n) : here(c), name(n) { note(name + " starts"); }
  ~store() {
    at_home();
    note(name + " stops");
  }

  int look(int k) {
    at_home();
    ++looks;
    return k + 1;
  }
  async::task<int> look_slowly(int k) {
    at_home();
    const status slept = co_await async::sleep_for(1_ms);
    at_home();
    co_return slept == status::ok ? k + 1 : 0;
  }
  /// Waits until it is stopped: -1.
  async::task<int> wait_for_ever() {
    at_home();
    note("waits");
    const status slept = co_await async::sleep_for(100_s);
    at_home();
    note(slept == status::cancelled ? "cancelled" : "not cancelled");
    co_return -1;
  }
  void at_home() const { check(std::this_thread::get_id() == home, "on the provider's thread"); }

  context here;
  std::string name;
  int looks = 0;
  const std::thread::id home = std::this_thread::get_id();
};

}  // namespace baton::calls_test
