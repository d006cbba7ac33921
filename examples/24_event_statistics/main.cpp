// SPDX-License-Identifier: MIT
//
// Counts the events of each type, and the time that their handlers took. On Linux the program runs
// in virtual time, in which work takes exactly its time.
#include <baton/components/event_statistics.hpp>
#include <baton/service.hpp>
#include <cstdio>

#include "../support/work.hpp"

using namespace baton::literals;
using namespace baton::service;
using baton::components::event_statistics;

struct letter {
  uint32_t pages;
};
struct paper {
  uint32_t pages;
};
struct closing {};

/// Prints as many pages as it has paper for.
struct printer {
  explicit printer(context here)
      : fills(here.on<paper>([this](const paper& p) {
          work_for(2_ms);
          left += p.pages;
        })),
        prints(here.on<letter>([this](const letter& l) {
          const uint32_t pages = l.pages < left ? l.pages : left;
          work_for(100_us + pages * 250_us);
          left -= pages;
        })) {}
  uint32_t left = 0;
  registration fills;
  registration prints;
};

/// Prints the table of all events without naming their types.
struct manager {
  manager(required<event_statistics> statistics, required<printer>, context here)
      : closes(here.on<closing>([=](const closing&) {
          std::fputs(statistics->table().text().c_str(), stdout);
          here.quit();
        })) {
    here.push(paper{20});
    for (uint32_t pages = 1; pages <= 6; ++pages) here.push(letter{pages});
    here.push(paper{50});
    here.push(letter{40});
    here.push(closing{});
  }
  registration closes;
};

int main() {
  application app;
  app.add<event_statistics>();
  app.add<printer>();
  app.add<manager>();
  return app.run();
}
