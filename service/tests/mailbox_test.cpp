// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <array>
#include <baton/async/batched_sender.hpp>
#include <memory>
#include <stdexcept>

using namespace baton::service_test;
using baton::status;

namespace {

constexpr uint64_t room = 64;

struct number {
  uint64_t value;
};
/// An event that is larger than the largest frame of the pool, and aligned more strictly than a
/// frame.
struct alignas(64) wide {
  uint64_t values[200] = {};
};

options bounded() {
  options o;
  o.events.events = room;
  return o;
}

/// Posts more events than there is room for. Returns the number of events that were taken.
uint64_t post_too_many(program& p) {
  uint64_t taken = 0;
  for (uint64_t i = 0; i != room + 36; ++i) {
    const status s = p.post(p.main(), number{i});
    taken += s == status::ok;
    if (i >= room) CHECK_EQ(s, status::full);
  }
  return taken;
}

}  // namespace

TEST_CASE("no more is on its way than a worker has room for, and what has arrived is not on its way") {
  program p(bounded());
  uint64_t heard = 0, rounds = 0;
  const registration r = p.main().on<number>([&](const number& n) {
    CHECK_EQ(n.value, heard % room);
    if (++heard % room != 0) return;
    if (++rounds == 5) return p.main().quit();
    CHECK_EQ(post_too_many(p), room);
  });
  CHECK_EQ(post_too_many(p), room);
  CHECK_EQ(p.run(), 0);
  CHECK_EQ(heard, 5 * room);
  CHECK_EQ(p.lost_events(), 0u);
  CHECK_EQ(p.post(p.main(), number{0}), status::closed);
  CHECK_EQ(p.post(p.main(), number{0}), status::closed);
}

TEST_CASE("an event of any size and alignment arrives whole, whatever lies before it") {
  program p;
  unsigned heard = 0;
  const registration r = p.main().on<wide>([&](const wide& w) {
    CHECK_EQ(reinterpret_cast<uintptr_t>(&w) % 64, 0u);
    CHECK_EQ(w.values[199], heard);
    if (++heard == 4) p.main().quit();
  });
  for (unsigned i = 0; i != 4; ++i) {
    wide w;
    w.values[199] = i;
    CHECK_EQ(p.post(p.main(), w), status::ok);
    CHECK_EQ(p.post(p.main(), number{i}), status::ok);
  }
  CHECK_EQ(p.run(), 0);
  CHECK_EQ(heard, 4u);
}

TEST_CASE("posted events of several priorities are handled highest first, and in order inside each") {
  program p;
  const registration r = p.main().on<number>([&](const number& n) {
    note(std::to_string(n.value));
    if (n.value == 5) p.main().quit();
  });
  CHECK_EQ(p.post(p.main(), number{4}, priority::low), status::ok);
  CHECK_EQ(p.post(p.main(), number{2}), status::ok);
  CHECK_EQ(p.post(p.main(), number{5}, priority::low), status::ok);
  CHECK_EQ(p.post(p.main(), number{1}, priority::highest), status::ok);
  CHECK_EQ(p.post(p.main(), number{3}), status::ok);
  CHECK_EQ(p.run(), 0);
  CHECK_EQ(take_log(), "1 2 3 4 5");
}

TEST_CASE("what a handler pushes goes by its priority among the posted events") {
  program p;
  const registration r = p.main().on<number>([&](const number& n) {
    note(std::to_string(n.value));
    if (n.value == 1) CHECK_EQ(p.main().push(number{10}, priority::highest), status::ok);
    if (n.value == 3) p.main().quit();
  });
  for (uint64_t i = 1; i != 4; ++i) CHECK_EQ(p.post(p.main(), number{i}), status::ok);
  CHECK_EQ(p.run(), 0);
  CHECK_EQ(take_log(), "1 10 2 3");
}

TEST_CASE("posted events are numbered, counted and told apart from those that wait") {
  program p;
  std::string numbers;
  const registration r = p.main().on<number>([&](const number&, const event_info& i) {
    numbers += std::to_string(i.number) + ":" + std::to_string(i.origin) + " ";
    CHECK_EQ(p.main().waiting_events(), 0u);
    if (i.number == 3) p.main().quit();
  });
  for (uint64_t i = 0; i != 3; ++i) CHECK_EQ(p.post(p.main(), number{i}), status::ok);
  CHECK_EQ(p.run(), 0);
  CHECK_EQ(numbers, "1:0 2:0 3:0 ");
}

TEST_CASE("what was posted before a quit is handled before the end") {
  program p;
  uint64_t heard = 0;
  const registration r = p.main().on<number>([&](const number& n) {
    CHECK_EQ(n.value, heard);
    if (++heard != 1) return;
    for (uint64_t i = 1; i != 1000; ++i) CHECK_EQ(p.post(p.main(), number{i}), status::ok);
    p.quit();
  });
  CHECK_EQ(p.post(p.main(), number{0}), status::ok);
  CHECK_EQ(p.run(), 0);
  CHECK_EQ(heard, 1000u);
  CHECK_EQ(p.lost_events(), 0u);
}

TEST_CASE("a quit that arrives while a posted event is handled waits for the events that were posted before it") {
  program p;
  uint64_t heard = 0;
  const registration r = p.main().on<number>([&](const number& n) {
    CHECK_EQ(n.value, heard);
    if (++heard != 1) return;
    for (uint64_t i = 1; i != 100; ++i) CHECK_EQ(p.post(p.main(), number{i}), status::ok);
    p.quit();
    const auto other = baton::async::loop_handle::make();
    baton::async::cross_thread_queue<int> to(other.mailbox());
    const baton::async::batched_sender<int> out(to);  // its end lets the messages to this loop arrive
  });
  CHECK_EQ(p.post(p.main(), number{0}), status::ok);
  CHECK_EQ(p.run(), 0);
  CHECK_EQ(heard, 100u);
  CHECK_EQ(p.lost_events(), 0u);
}

TEST_CASE("an event that finds the queue full stays on its way, and none is lost") {
  program p(bounded());
  uint64_t posted = 0, pushed = 0;
  const registration r = p.main().on<number>([&](const number& n) {
    if (n.value != 0) {
      CHECK_EQ(n.value, ++posted);
      if (posted == room) p.main().quit();
      return;
    }
    while (pushed != 5 * room && p.main().push(number{0}) == status::ok) ++pushed;
  });
  CHECK_EQ(p.main().push(number{0}), status::ok);
  for (uint64_t i = 1; i != room + 1; ++i) CHECK_EQ(p.post(p.main(), number{i}), status::ok);
  CHECK_EQ(p.run(), 0);
  CHECK_EQ(pushed, 5 * room);
  CHECK_EQ(posted, room);
  CHECK_EQ(p.lost_events(), 0u);
}

TEST_CASE("a handler of a posted event may throw: its event is destroyed, and the next ones are handled") {
  program p;
  const auto content = std::make_shared<int>(7);
  unsigned heard = 0;
  const registration r = p.main().on<std::shared_ptr<int>>([&](const std::shared_ptr<int>& n) {
    if (++heard == 3) p.main().quit();
    CHECK_EQ(*n, 7);
    if (heard == 2) throw std::runtime_error("the second");
  });
  for (unsigned i = 0; i != 3; ++i) CHECK_EQ(p.post(p.main(), content), status::ok);
  CHECK(p.run() != 0);
  CHECK_EQ(content.use_count(), 1);
}

TEST_CASE("the events of an application that never runs are destroyed with it") {
  const auto content = std::make_shared<int>(1);
  {
    program p;
    for (unsigned i = 0; i != 1000; ++i) CHECK_EQ(p.post(p.main(), content), status::ok);
    CHECK_EQ(content.use_count(), 1001);
  }
  CHECK_EQ(content.use_count(), 1);
}

TEST_CASE("events of many sizes follow each other through the chunks of a lane") {
  struct empty {};
  program p;
  unsigned total = 0;
  const registration a = p.main().on<empty>([&](const empty&) { ++total; });
  const registration b = p.main().on<number>([&](const number& n) { CHECK_EQ(n.value, total++); });
  const registration c = p.main().on<std::array<uint64_t, 127>>([&](const std::array<uint64_t, 127>& n) {
    CHECK_EQ(n[126], total++);
    if (total == 3 * 500) p.main().quit();
  });
  for (unsigned i = 0; i != 3 * 500; i += 3) {
    CHECK_EQ(p.post(p.main(), empty{}), status::ok);
    CHECK_EQ(p.post(p.main(), number{i + 1}), status::ok);
    std::array<uint64_t, 127> wide{};
    wide[126] = i + 2;
    CHECK_EQ(p.post(p.main(), wide), status::ok);
  }
  CHECK_EQ(p.run(), 0);
  CHECK_EQ(total, 3 * 500u);
}
