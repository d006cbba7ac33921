// SPDX-License-Identifier: MIT
//
// Workers whose loops sleep by pollers of their own.
#include <condition_variable>

#include "calls.hpp"

using namespace baton;
using namespace baton::calls_test;

namespace {

/// A poller that only sleeps and wakes. It notes the threads of its life.
struct sleeping_poller : async::poller {
  static inline std::atomic<int> living{0}, waits{0};
  sleeping_poller() { ++living; }
  virtual ~sleeping_poller() {
    check(std::this_thread::get_id() == made_on, "a worker's poller is destroyed on its thread");
    --living;
  }
  bool wait(tick until) override {
    check(std::this_thread::get_id() == made_on, "a worker's poller sleeps on its thread");
    ++waits;
    std::unique_lock<std::mutex> hold(lock);
    const tick now = port::now();
    const tick most = now + 1000000000;
    const tick end = until < most ? until : most;
    if (end > now) awake.wait_for(hold, std::chrono::nanoseconds(end - now), [this] { return is_woken; });
    is_woken = false;
    return true;
  }
  void wake() noexcept override {
    const std::lock_guard<std::mutex> hold(lock);
    is_woken = true;
    awake.notify_one();
  }
  const std::thread::id made_on = std::this_thread::get_id();
  std::mutex lock;
  std::condition_variable awake;
  bool is_woken = false;
};

struct poller_without_descriptors final : sleeping_poller {
  poller_without_descriptors() { throw std::runtime_error("no descriptor is left"); }
};

void each_worker_has_a_network() {
  struct sleeper {
    sleeper(context c, std::atomic<int>* n) { c.spawn(sleep(c, n)); }
    static async::task<> sleep(context c, std::atomic<int>* n) {
      const status slept = co_await async::sleep_for(5_ms);
      check(slept == status::ok, "a timer over the poller");
      if (n->fetch_add(1) + 1 == 2) c.quit();
    }
  };
  application app({.ends_at_signals = false});
  std::atomic<int> slept{0};
  for (const char* name : {"one", "two"})
    app.add_worker(name, network_over<sleeping_poller>, {.processor = 0}).add<sleeper>(&slept);
  app.add_worker("without");
  check(app.run() == 0 && slept == 2, "timers of both workers");
  check(sleeping_poller::waits > 1 && sleeping_poller::living == 0, "each over a poller of its own");
  check(app.refusals() == 0, "with the options of its thread");
}

/// No service of the worker starts, and the program ends in order.
void a_worker_without_its_network() {
  static std::atomic<int> started{0};
  struct one_there {
    one_there() { ++started; }
  };
  application app({.ends_at_signals = false});
  std::string told;
  app.on_diagnostic([&](const std::string& text) { told += text; });
  app.add_worker("io", network_over<poller_without_descriptors>).add<one_there>();
  check(app.run() == static_cast<int>(exit_code::start_failed), "the exit code of a failed start");
  check(told == "the worker 'io' has no network: no descriptor is left", "the reason is told");
  check(started == 0, "no service of the worker has started");
}

}  // namespace

int main() {
  each_worker_has_a_network();
  a_worker_without_its_network();
  std::printf("verdict: %s\n", faults == 0 ? "good" : "bad");
  return faults == 0 ? 0 : 1;
}
