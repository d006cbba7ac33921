// SPDX-License-Identifier: MIT
#include <baton/service/service_memory.hpp>
#include <baton/test/trace.hpp>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "program.hpp"

using namespace baton::service_test;
using baton::service::detail::service_memory;

namespace {

struct piece {
  void* at;
  size_t bytes;
  int pattern;
};

piece taken(service_memory& memory, size_t bytes, int pattern) {
  const piece p{memory.take(bytes), bytes, pattern};
  std::memset(p.at, pattern, bytes);
  return p;
}
bool is_whole(const piece& p) {
  const auto* const bytes = static_cast<const unsigned char*>(p.at);
  for (size_t i = 0; i != p.bytes; ++i) {
    if (bytes[i] != p.pattern) return false;
  }
  return true;
}

/// A service of 64 bytes, aligned to 64.
struct alignas(64) aligned_service {
  std::byte own[64] = {};
};
struct large_service {
  std::byte own[3 * service_memory::largest] = {};
};
/// A value whose copy throws.
struct no_copy {
  no_copy() = default;
  no_copy(const no_copy&) { throw std::runtime_error("no copy"); }
};
struct with_no_copy {
  explicit with_no_copy(const no_copy&) {}
};

}  // namespace

TEST_CASE("no two pieces of memory lie over each other, whatever was given back before") {
  service_memory memory;
  std::vector<piece> live;
  std::mt19937 random(11);
  size_t most = 0, sum = 0;
  for (int round = 0; round != 120000; ++round) {
    const bool fills = round / 40000 % 2 == 0;
    if (live.empty() || random() % 8 < (fills ? 6u : 2u)) {
      live.push_back(taken(memory, 1 + random() % service_memory::largest, static_cast<int>(random() % 256)));
      CHECK_EQ(reinterpret_cast<uintptr_t>(live.back().at) % service_memory::step, 0u);
      sum += live.back().bytes;
      most = sum > most ? sum : most;
      continue;
    }
    std::swap(live[random() % live.size()], live.back());
    CHECK(is_whole(live.back()));
    sum -= live.back().bytes;
    memory.give(live.back().at, live.back().bytes);
    live.pop_back();
  }
  for (const piece& p : live) CHECK(is_whole(p));
  CHECK(most > 9000000);  // more than the chunks of the heap hold
}

TEST_CASE("what was given back serves the next of its size") {
  service_memory memory;
  std::set<void*> first, second;
  std::vector<void*> all;
  for (int i = 0; i != 1000; ++i) first.insert(all.emplace_back(memory.take(600)));
  for (void* each : all) memory.give(each, 600);
  for (int i = 0; i != 1000; ++i) second.insert(memory.take(593));  // both are rounded up to 608
  CHECK_EQ(first.size(), 1000u);
  CHECK(first == second);
}

TEST_CASE("a service that is aligned strictly lies so, and a large one is whole") {
  program p;
  aligned_service* aligned = nullptr;
  large_service* large = nullptr;
  struct looks {
    looks(required<aligned_service> a, required<large_service> l, context c, aligned_service** to_a,
          large_service** to_l) {
      *to_a = &*a;
      *to_l = &*l;
      c.quit();
    }
  };
  p.add<aligned_service>();
  p.add<large_service>();
  p.add<looks>(&aligned, &large);
  CHECK_EQ(p.run(), 0);
  CHECK(aligned != nullptr);
  CHECK_EQ(reinterpret_cast<uintptr_t>(aligned) % 64, 0u);
  CHECK(large != nullptr);
}

TEST_CASE("a service whose arguments cannot be copied is not there") {
  program p;
  const context here = p.main();
  for (int i = 0; i != 3; ++i) {
    bool threw = false;
    try {
      const no_copy argument;
      here.add<with_no_copy>(argument);
    } catch (const std::runtime_error&) {
      threw = true;
    }
    CHECK(threw);
  }
  here.quit();
  CHECK_EQ(p.run(), 0);
}
