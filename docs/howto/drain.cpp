// SPDX-License-Identifier: MIT
#include <baton/service.hpp>
#include <baton/service/program_events.hpp>
#include <csignal>
#include <cstdio>

using namespace baton::literals;
using namespace baton::service;
namespace async = baton::async;
using baton::status;

// Prints jobs one after the other, each for 200 ms. When the program ends, it takes no further job
// and prints those that it has.
struct printer {
  explicit printer(context here) : drains(here.on<program_ending>([this](const program_ending&) { return drain(); })) {
    here.spawn(print_all());
  }

  status add(int job) { return jobs.try_send(job); }  // `closed` while the program ends

  async::task<> print_all() {
    for (;;) {
      const async::result<int> job = co_await async::receive(jobs);
      if (!job) break;  // closed, and no job is left
      static_cast<void>(co_await async::sleep_for(200_ms));
      std::printf("printed job %d\n", *job);
    }
    done.set();
  }

  async::task<> drain() {
    std::puts("the program ends");
    jobs.close();  // stored values can still be received
    static_cast<void>(co_await done.wait());
    std::puts("nothing is left");
  }

  baton::channel<int, 8> jobs;
  baton::signal done;
  registration drains;  // the last member: what it uses outlives it
};

struct office {
  office(required<printer> p, context here) {
    for (int job = 1; job <= 3; ++job) {
      if (p->add(job) != status::ok) std::printf("no place for job %d\n", job);
    }
    here.spawn(terminate(p));
  }

  static async::task<> terminate(required<printer> p) {
    static_cast<void>(co_await async::sleep_for(300_ms));
    std::raise(SIGTERM);  // as systemd does
    static_cast<void>(co_await async::sleep_for(10_ms));
    std::puts(p->add(4) == status::closed ? "job 4 is refused" : "job 4 is accepted");
  }
};

int main() {
  application app;
  app.add<printer>();
  app.add<office>();
  return app.run();
}
