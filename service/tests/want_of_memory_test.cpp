// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <baton/test/failing_memory.hpp>

// Events with strings, pushed while the first allocation is refused, then the second, and so on: an
// event is in the queue and whole, or its sender is told that it is not.

using namespace baton;
using namespace baton::service;
using service_test::note;
using service_test::take_log;

namespace {

struct text {
  std::string value;
};
/// Lies in memory of its own.
struct large {
  std::string value;
  char bytes[2000] = {};
};

std::string text_of(int n) {
  return "the text of the event with the number " + std::to_string(n);
}

/// Pushes three events with the allocation number 1, 2, ... refused, and gives `push` each number.
template <typename Push>
void push_all(Push push) {
  for (long n = 1;; ++n) {
    DOCTEST_CAPTURE(n);
    service_test::program app;
    const context c = app.main();
    const registration a = c.on<text>([](const text& t) { note(t.value); });
    const registration b = c.on<large>([](const large& l) { note(l.value); });
    std::string expected;
    bool was_refused = false;
    for (int i = 1; i != 4; ++i) {
      const std::string value = text_of(i);
      status how = status::full;
      {
        const test::refused_allocation refused(was_refused ? 0 : n);
        try {
          how = push(app, c, value);
        } catch (const std::bad_alloc&) {
        }
        was_refused = was_refused || refused.was_refused();
      }
      if (how == status::ok) expected += (expected.empty() ? "" : " ") + value;
    }
    c.quit();
    CHECK_EQ(app.run(), 0);
    CHECK_EQ(take_log(), expected);
    if (!was_refused) return;
    CHECK(expected != text_of(1) + " " + text_of(2) + " " + text_of(3));
  }
}

}  // namespace

TEST_CASE("an event that is copied into the queue is whole, or its sender gets the exception") {
  push_all([](application&, const context& c, const std::string& value) {
    thread_local text event;
    event.value = value;
    return c.push(event);
  });
}

TEST_CASE("an event in memory of its own is whole, or its sender gets the exception") {
  push_all([](application&, const context& c, const std::string& value) {
    large event;
    event.value = value;
    return c.push(event);
  });
}

TEST_CASE("an event that is posted is whole, or its sender gets the exception") {
  push_all([](application& app, const context& c, const std::string& value) { return app.post(c, text{value}); });
}
