// SPDX-License-Identifier: MIT
#include <baton/test/check.hpp>
#include <memory>
#include <search/search.hpp>

// Every state that a small system of tasks can reach through the kernel's calls, compared with the
// reference (support/reference.hpp). The bounds of each system stand in its test case.

using namespace baton;
using kernel::call_number;
using kernel::error;
using test::search::bounds;
using test::search::outside;

namespace {

std::vector<uint8_t> numbers(std::initializer_list<call_number> calls) {
  std::vector<uint8_t> all;
  for (const call_number c : calls) all.push_back(test::search::number_of(c));
  return all;
}

std::vector<uint8_t> all_calls() {
  std::vector<uint8_t> all;
  for (const test::search::call_row& row : test::search::call_table) all.push_back(row.number);
  return all;
}

/// Visits all states. Returns the errors with which calls ended, a bit each.
uint32_t visit(const bounds& b) {
  constexpr test::search::limits most = {size_t{1} << 30, 240};
  static bool has_failed = false;
  if (has_failed) return 0;  // one path to one failure is enough
  const std::unique_ptr<test::search::search> all(new test::search::search(b, most));
  const clock_t t = clock();
  all->run();
  all->print();
  printf("   %g s\n", double(clock() - t) / CLOCKS_PER_SEC);
  has_failed = all->has_failed();
  CHECK(!has_failed);
  CHECK(all->is_complete());
  return all->errors();
}

}  // namespace

TEST_CASE("two tasks with all calls") {
  bounds b = {"two tasks with all calls", 2, {0, 1}};
  b.calls = all_calls();
  b.timeouts = {kernel::unlimited, 0, 1};
  b.message_bytes = {4, 0};
  b.capacities = {4, 0};
  b.has_mistakes = true;
  b.bits = {1};
  b.descriptions = {{0, false, error::none}, {1, false, error::none},       {0, true, error::none},
                    {3, false, error::none}, {0, false, error::bad_buffer}, {0, false, error::bad_stack}};
  b.from_outside = {outside::tick,           outside::raise_event, outside::notify,
                    outside::handle_pending, outside::overwrite,   outside::fault};
  const uint32_t errors = visit(b);
  for (uint8_t e = 0; e < kernel::errors; ++e) CHECK_WITH(errors >> e & 1, e);
}

TEST_CASE("two tasks that take turns by a time slice") {
  bounds b = {"two tasks with a time slice", 2, {1, 1}};
  b.calls = numbers({call_number::send, call_number::receive, call_number::reply, call_number::yield,
                     call_number::wait_interrupt_event, call_number::sleep});
  b.timeouts = {kernel::unlimited, 1, 3};
  b.from_outside = {outside::tick, outside::raise_event, outside::handle_pending};
  b.slice = 2;
  visit(b);
}

TEST_CASE("three tasks that send, receive and reply") {
  bounds b = {"three tasks that send, receive and reply", 3, {0, 0, 1}};
  b.calls = numbers({call_number::send, call_number::receive, call_number::reply, call_number::reply_receive,
                     call_number::yield});
  b.timeouts = {kernel::unlimited, 1};
  b.from_outside = {outside::tick, outside::handle_pending};
  visit(b);
}

TEST_CASE("three tasks with notifications") {
  bounds b = {"three tasks with notifications", 3, {0, 0, 1}};
  b.calls = numbers({call_number::receive, call_number::notify, call_number::wait_notification,
                     call_number::set_notification_mask, call_number::yield});
  b.timeouts = {kernel::unlimited, 1};
  b.bits = {1, 2};
  b.from_outside = {outside::tick, outside::notify, outside::handle_pending};
  visit(b);
}

TEST_CASE("three tasks that end and are made") {
  bounds b = {"three tasks that end and are made", 3, {0, 1}};
  b.calls = numbers({call_number::send, call_number::receive, call_number::reply, call_number::exit, call_number::kill,
                     call_number::create, call_number::parent});
  b.descriptions = {{0, false, error::none}, {1, false, error::none}, {1, true, error::none}};
  b.from_outside = {outside::overwrite};
  visit(b);
}

TEST_CASE("three tasks that inherit priorities") {
  bounds b = {"three tasks that inherit priorities", 3, {0, 1, 2}};
  b.calls = numbers({call_number::send, call_number::receive, call_number::reply, call_number::reply_receive,
                     call_number::sleep, call_number::kill});
  b.are_privileged = true;
  b.timeouts = {kernel::unlimited, 1};
  b.from_outside = {outside::tick, outside::handle_pending};
  visit(b);
}
