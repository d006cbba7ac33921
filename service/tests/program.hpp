// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service.hpp>
#include <baton/test/trace.hpp>
#include <string>
#include <vector>

/// What the tests of services have in common: an application in virtual time that writes down what happens.
namespace baton::service_test {

using namespace service;

/// What happened, in order.
inline std::vector<std::string>& log() {
  static std::vector<std::string> lines;
  return lines;
}
inline void note(std::string line) {
  log().push_back(std::move(line));
}
/// All lines, and none is left.
inline std::string take_log() {
  std::string all;
  for (const std::string& line : log()) all += (all.empty() ? "" : " ") + line;
  log().clear();
  return all;
}

/// An application that tells nobody but the test.
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

/// Ends the program when everything has started.
struct ender {
  explicit ender(context c) { c.quit(); }
};

}  // namespace baton::service_test
