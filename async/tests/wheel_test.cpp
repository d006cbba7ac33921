// SPDX-License-Identifier: MIT
#include <baton/async/timer_wheel.hpp>
#include <baton/test/check.hpp>
#include <map>
#include <memory>
#include <random>
#include <vector>

using baton::async::timer_wheel;
using baton::async::wheel_node;

namespace {

struct numbered : wheel_node {
  uint32_t number = 0;
};

/// A model of the wheel, in a sorted map; equal times keep the order of arming.
class model {
 public:
  void arm(numbered& n, uint64_t due) { by_due_.emplace(due, &n); }
  void disarm(numbered& n) {
    for (auto i = by_due_.lower_bound(n.due); i != by_due_.end(); ++i) {
      if (i->second != &n) continue;
      by_due_.erase(i);
      return;
    }
  }
  numbered* pop_due(uint64_t now) {
    if (by_due_.empty() || by_due_.begin()->first > now) return nullptr;
    numbered* n = by_due_.begin()->second;
    by_due_.erase(by_due_.begin());
    return n;
  }
  uint64_t next_due() const { return by_due_.empty() ? ~uint64_t{0} : by_due_.begin()->first; }
  size_t size() const { return by_due_.size(); }

 private:
  std::multimap<uint64_t, numbered*> by_due_;
};

/// Arms, disarms and lets time pass at random; false at the first difference.
bool agrees(uint32_t seed, int steps, uint64_t begin) {
  std::mt19937_64 random(seed);
  auto wheel = std::make_unique<timer_wheel<3>>(begin);
  model reference;
  std::vector<numbered> nodes(500);
  uint64_t now = begin;
  auto some_time = [&] { return random() >> (20 + random() % 43); };  // from 0 to 2^44 ticks
  for (int step = 0; step < steps; ++step) {
    numbered& n = nodes[random() % nodes.size()];
    switch (random() % 4) {
      case 0:
      case 1:
        if (n.is_in_wheel()) break;
        n.due = now + some_time();
        reference.arm(n, n.due);
        wheel->arm(n, n.due);
        break;
      case 2:
        if (n.is_in_wheel()) reference.disarm(n);
        if (wheel->disarm(n) && n.is_in_wheel()) return false;
        break;
      default:
        if (random() % 2 && wheel->next_due() != reference.next_due()) return false;  // a query changes nothing
        now += random() % 3 ? some_time() >> 8 : (reference.size() ? reference.next_due() - now : 0);
        for (;;) {
          numbered* expected = reference.pop_due(now);
          if (wheel->pop_due(now) != expected) return false;
          if (!expected) break;
        }
    }
    if (wheel->size() != reference.size()) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a wheel gives timers in the order of a sorted map, whatever is armed and disarmed") {
  for (uint32_t seed = 1; seed <= 20; ++seed) CHECK(agrees(seed, 20000, seed % 2 ? 0 : (uint64_t{1} << 40) - 12345));
}

TEST_CASE("equal due times fire in the order of arming, near and far") {
  for (uint64_t ahead : {uint64_t{0}, uint64_t{5000}, uint64_t{1} << 25, uint64_t{1} << 50}) {
    auto wheel = std::make_unique<timer_wheel<>>(77);
    std::vector<numbered> nodes(100);
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      nodes[i].number = i;
      wheel->arm(nodes[i], 77 + ahead);
    }
    CHECK_EQ(wheel->next_due(), 77 + ahead);
    if (ahead) CHECK(!wheel->pop_due(76 + ahead));
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      wheel_node* n = wheel->pop_due(77 + ahead);
      CHECK(n);
      if (n) CHECK_EQ(static_cast<numbered*>(n)->number, i);
    }
    CHECK(wheel->is_empty());
    CHECK_EQ(wheel->next_due(), ~uint64_t{0});
  }
}

TEST_CASE("a million timers: each fires once, none before its time") {
  auto wheel = std::make_unique<timer_wheel<>>();
  std::vector<wheel_node> nodes(1000000);
  std::mt19937_64 random(5);
  for (wheel_node& n : nodes) wheel->arm(n, random() % 10000000000u);
  size_t fired = 0;
  uint64_t last = 0;
  for (uint64_t now = 0; now <= 10000000000u; now += 1000000) {
    while (wheel_node* n = wheel->pop_due(now)) {
      if (n->due > now || n->due < last) CHECK(false);
      last = n->due;
      ++fired;
    }
  }
  CHECK_EQ(fired, nodes.size());
}
