// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service.hpp>
#include <baton/test/trace.hpp>
#include <string>
#include <vector>

/// The common parts of the tests of services: an application in virtual time, and a log.
namespace baton::service_test {

using namespace service;

/// The log, in the order of the entries.
inline std::vector<std::string>& log() {
  static std::vector<std::string> lines;
  return lines;
}
inline void note(std::string line) {
  log().push_back(std::move(line));
}
/// Returns all lines and clears the log.
inline std::string take_log() {
  std::string all;
  for (const std::string& line : log()) all += (all.empty() ? "" : " ") + line;
  log().clear();
  return all;
}

/// An application whose diagnostics go to `told`.
struct program : application {
  explicit program(options o = {}) : application(without_signals(o)) {
    take_log();
    on_diagnostic([this](const std::string& text) { told += text + "\n"; });
  }
  static options without_signals(options o) {
    o.ends_at_signals = false;
    return o;
  }
  std::string told;
};

/// A service that ends the program when everything has started.
struct ender {
  explicit ender(context c) { c.quit(); }
};

}  // namespace baton::service_test
