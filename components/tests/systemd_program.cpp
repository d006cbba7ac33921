// SPDX-License-Identifier: MIT
//
// systemd_program WAY: a program with a systemd_notifier and two workers, for systemd_test.py.
#include <baton/components/systemd_notifier.hpp>
#include <baton/service.hpp>
#include <cstring>
#include <thread>

using namespace baton;
using namespace baton::literals;
using namespace baton::service;

namespace {

/// Takes some time to start, and tells that on standard output.
struct slow {
  static async::task<> start() {
    static_cast<void>(co_await async::sleep_for(300_ms));
    std::puts("slow has started");
    std::fflush(stdout);
  }
};

/// Keeps its worker's thread for ever after a second.
struct stuck {
  explicit stuck(context c) : here(c) {}
  void start() const { here.spawn(stick()); }
  static async::task<> stick() {
    static_cast<void>(co_await async::sleep_for(1_s));
    std::puts("stuck");
    std::fflush(stdout);
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  context here;
};

}  // namespace

int main(int, char** arguments) {
  application app;
  app.add<components::systemd_notifier>();
  const context other = app.add_worker("other");
  other.add<slow>();
  if (!std::strcmp(arguments[1], "stuck")) other.add<stuck>();
  return app.run();
}
