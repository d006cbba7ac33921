// SPDX-License-Identifier: MIT
#include "program.hpp"

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
