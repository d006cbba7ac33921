// SPDX-License-Identifier: MIT
#include <baton/service/priority_levels.hpp>
#include <baton/test/trace.hpp>
#include <cstring>
#include <deque>
#include <fstream>
#include <random>
#include <string>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <sys/resource.h>
#endif

using namespace baton::service::detail;

namespace {

constexpr uint32_t head = sizeof(event_header);

void put(priority_levels& b, unsigned which, uint64_t number, uint32_t size) {
  event_header* const r = b.put(which, size);
  r->size = static_cast<uint16_t>(size);
  r->number = number;
  std::memset(r->event(), static_cast<int>(number % 251), size - head);
}

bool is_whole(event_header& r) {
  const char* const bytes = static_cast<const char*>(r.event());
  for (uint32_t i = 0; i != r.size - head; ++i) {
    if (bytes[i] != static_cast<char>(r.number % 251)) return false;
  }
  return true;
}

/// The memory of this process that the system backs.
uint64_t resident_bytes() {
  uint64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * 4096;
}

}  // namespace

TEST_CASE("events of all priorities and sizes come back whole and in their order, whatever lies between") {
  priority_levels levels;
  std::deque<uint64_t> expected[priority_levels::levels];
  std::mt19937 random(7);
  uint64_t number = 0, most = 0, waiting = 0;
  for (int round = 0; round != 40; ++round) {
    const bool fills = round % 2 == 0;
    for (unsigned i = 0; i != 20000; ++i) {
      if (random() % 8 < (fills ? 6u : 2u)) {
        const unsigned which = random() % priority_levels::levels;
        put(levels, which, ++number, head + random() % 32 * 8);
        expected[which].push_back(number);
        most = ++waiting > most ? waiting : most;
      } else if (waiting != 0) {
        unsigned which = 0;
        event_header* const r = levels.take(which);
        for (unsigned above = 0; above != which; ++above) CHECK(expected[above].empty());
        CHECK_EQ(r->number, expected[which].front());
        CHECK(is_whole(*r));
        expected[which].pop_front();
        levels.done_with(which);
        --waiting;
      }
    }
  }
  CHECK(most > 8000);  // more than the chunks of the heap hold
}

TEST_CASE("the memory of a long queue is given back at its end") {
  const uint64_t before = resident_bytes();
  {
    priority_levels levels;
    for (uint64_t i = 0; i != 1000000; ++i) put(levels, 4, i, head + 16);
    CHECK(resident_bytes() > before + 30000000);
  }
  CHECK(resident_bytes() < before + 8000000);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE(
    "where there is no memory left nothing has happened: what waits is still there, and later there is room again") {
  priority_levels levels;
  rlimit was{};
  CHECK_EQ(getrlimit(RLIMIT_AS, &was), 0);
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit now = was;
  now.rlim_cur = pages * 4096 + 3 * large_page::bytes;
  CHECK_EQ(setrlimit(RLIMIT_AS, &now), 0);
  uint64_t n = 0;
  bool is_refused = false;
  while (!is_refused && n != 1000000) {
    try {
      put(levels, 4, n, head + 64);
      ++n;
    } catch (const std::bad_alloc&) {
      is_refused = true;
    }
  }
  CHECK_EQ(setrlimit(RLIMIT_AS, &was), 0);
  CHECK(is_refused);
  for (uint64_t i = n; i != n + 1000; ++i) put(levels, 4, i, head + 64);
  for (uint64_t i = 0; i != n + 1000; ++i) {
    unsigned which = 0;
    event_header* const r = levels.take(which);
    CHECK_EQ(r->number, i);
    levels.done_with(which);
  }
  CHECK(levels.is_empty());
}
#endif
