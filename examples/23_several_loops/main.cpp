// SPDX-License-Identifier: MIT
//
// Two workers, each a loop on its own thread. Work is posted to the one, results to the other, and
// an event is broadcast to both. There is no lock here.
#include <baton/service.hpp>
#include <cstdio>
#include <string>

using namespace baton::service;

struct number {
  uint64_t value;
};
struct factors {
  uint64_t value;
  std::string text;
};
struct closing {};
struct closed {};

/// Lives on the other thread. It only knows the main worker to post to.
struct mathematician {
  explicit mathematician(context c)
      : here(c),
        works(here.on<number>([this](const number& n) { work(n.value); })),
        hears(here.on<closing>([this](const closing&) { here.program().post(here.program().main(), closed{}); })) {}

  void work(uint64_t value) {
    std::string text;
    for (uint64_t left = value, f = 2; left > 1; ++f) {
      for (; left % f == 0; left /= f) text += (text.empty() ? "" : " * ") + std::to_string(f);
    }
    here.program().post(here.program().main(), factors{value, std::move(text)});
  }

  context here;
  registration works;
  registration hears;
};

/// Lives on the main thread, and is the only one to print.
struct secretary {
  secretary(context c, context other) : here(c), to(other) {
    hears_results = here.on<factors>([this](const factors& f) {
      std::printf("%u = %s\n", static_cast<unsigned>(f.value), f.text.c_str());
      if (--expected == 0)
        std::printf("%u workers are told\n", static_cast<unsigned>(here.program().broadcast(closing{})));
    });
    hears_closing = here.on<closing>([this](const closing&) {
      is_closing = true;
      end();
    });
    hears_closed = here.on<closed>([this](const closed&) {
      other_has_closed = true;
      end();
    });
  }
  void start() {
    for (const uint64_t n : {84u, 97u, 1001u}) {
      here.program().post(to, number{n});
      ++expected;
    }
  }
  /// Either worker may close first, so the later one ends the program.
  void end() {
    if (!is_closing || !other_has_closed) return;
    std::puts("both have closed");
    here.quit();
  }

  context here;
  context to;
  int expected = 0;
  bool is_closing = false;
  bool other_has_closed = false;
  registration hears_results;
  registration hears_closing;
  registration hears_closed;
};

int main() {
  application app;
  const context other = app.add_worker("other");
  other.add<mathematician>();
  app.add<secretary>(other);
  return app.run();
}
