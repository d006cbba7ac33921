// SPDX-License-Identifier: MIT
#include <search/visit.hpp>

// Every state that a small system of tasks can reach through the kernel's calls, compared with the
// reference (support/reference.hpp). Each test case is a system, with its bounds; the small ones
// come first. A failure prints a shortest path to it.

using namespace baton;
using namespace test::search;
using kernel::call_number;
using kernel::error;

namespace {

/// A build with a sanitizer or with coverage has no time for all states.
#if defined(BATON_TEST_FEWER_STATES)
constexpr bool visits_all = false;
constexpr limits most = {size_t{1} << 24, no_limit};
#else
constexpr bool visits_all = true;
constexpr limits most = {size_t{1} << 30, no_limit};
#endif

/// Visits the states. Returns the errors with which calls have ended, a bit each.
uint32_t visit_all(const bounds& b) {
  const std::unique_ptr<test::search::search> all = visit(b, most);
  CHECK((all->is_complete() || !visits_all));
  return all->explored().seen().errors;
}

}  // namespace

TEST_CASE("three tasks send, receive and reply in all states") {
  bounds b = {"three tasks, messages", 3, {0, 0, 1}};
  b.calls = numbers_of({call_number::send, call_number::receive, call_number::reply, call_number::reply_receive,
                        call_number::yield, call_number::sleep, call_number::exit});
  b.timeouts = {kernel::unlimited, 0, 1, 2};
  b.from_outside = {outside::tick, outside::handle_pending};
  visit_all(b);
}

TEST_CASE("three tasks inherit priorities in all states") {
  bounds b = {"three tasks, priorities", 3, {0, 1, 2}};
  b.calls = numbers_of({call_number::send, call_number::receive, call_number::reply, call_number::reply_receive,
                        call_number::sleep, call_number::yield, call_number::kill});
  b.are_privileged = true;
  b.timeouts = {kernel::unlimited, 1, 2};
  b.from_outside = {outside::tick, outside::handle_pending};
  visit_all(b);
}

TEST_CASE("three tasks receive from one, and reply by an error, in all states") {
  bounds b = {"three tasks, one sender", 3, {0, 1, 2}};
  b.calls = numbers_of({call_number::send, call_number::receive, call_number::receive_from, call_number::reply,
                        call_number::reply_error, call_number::sleep, call_number::kill});
  b.are_privileged = true;
  b.timeouts = {kernel::unlimited, 1};
  b.from_outside = {outside::tick, outside::handle_pending};
  visit_all(b);
}

TEST_CASE("three tasks notify in all states") {
  bounds b = {"three tasks, notifications", 3, {0, 0, 1}};
  b.calls = numbers_of({call_number::notify, call_number::wait_notification, call_number::set_notification_mask,
                        call_number::send, call_number::receive, call_number::reply, call_number::yield});
  b.timeouts = {kernel::unlimited, 1};
  b.bits = {1};
  b.from_outside = {outside::tick, outside::notify, outside::handle_pending};
  visit_all(b);
}

TEST_CASE("three tasks end and are made in all states") {
  bounds b = {"three tasks, ends", 3, {0, 1}};
  b.calls = numbers_of({call_number::create, call_number::exit, call_number::kill, call_number::parent,
                        call_number::send, call_number::receive, call_number::reply});
  b.descriptions = {{0, false, error::none}, {1, false, error::none}, {1, true, error::none}};
  b.from_outside = {outside::overwrite};
  visit_all(b);
}

TEST_CASE("three tasks whose stacks are overwritten send, receive and reply in all states") {
  bounds b = {"three tasks, overwritten guards", 3, {0, 0, 1}};
  b.calls = numbers_of({call_number::send, call_number::receive, call_number::reply_receive, call_number::sleep});
  b.timeouts = {kernel::unlimited, 1};
  b.from_outside = {outside::tick, outside::handle_pending, outside::overwrite};
  visit_all(b);
}

TEST_CASE("three tasks lend memory in all states") {
  bounds b = {"three tasks, leases", 3, {0, 0, 1}};
  b.calls = numbers_of({call_number::send_lending, call_number::copy_from, call_number::copy_to, call_number::send,
                        call_number::receive, call_number::reply, call_number::kill});
  b.are_privileged = true;
  b.timeouts = {kernel::unlimited, 1};
  b.capacities = {2};
  b.from_outside = {outside::tick, outside::handle_pending};
  constexpr uint32_t of_leases = 1u << static_cast<uint8_t>(error::bad_lease);
  CHECK((visit_all(b) & of_leases) != 0);
}

TEST_CASE("three tasks lend memory, end and are made in all states") {
  bounds b = {"three tasks, leases and ends", 3, {0, 1}};
  b.calls = numbers_of({call_number::send_lending, call_number::copy_from, call_number::copy_to, call_number::receive,
                        call_number::reply, call_number::kill, call_number::create});
  b.are_privileged = true;
  b.capacities = {2};
  b.descriptions = {{0, true, error::none}};
  visit_all(b);
}

TEST_CASE("three tasks hear of ends in all states") {
  bounds b = {"three tasks, reports", 3, {1, 0}};
  b.calls = numbers_of({
      call_number::create,
      call_number::exit,
      call_number::kill,
      call_number::take_end_report,
      call_number::wait_notification,
  });
  b.are_privileged = true;
  b.bits = {told_of_end};
  b.descriptions = {{0, false, error::none}, {1, true, error::none}};
  b.reports = 2;
  b.from_outside = {outside::fault};
  visit_all(b);
}

TEST_CASE("two tasks hear of ends while they receive in all states") {
  bounds b = {"two tasks, reports and messages", 2, {1, 0}};
  b.calls = numbers_of({call_number::create, call_number::exit, call_number::kill, call_number::take_end_report,
                        call_number::set_notification_mask, call_number::wait_notification, call_number::send,
                        call_number::receive, call_number::reply});
  b.are_privileged = true;
  b.bits = {told_of_end};
  b.descriptions = {{0, false, error::none}, {1, true, error::none}};
  b.reports = 2;
  b.from_outside = {outside::fault, outside::overwrite};
  visit_all(b);
}

TEST_CASE("two tasks with time slices make all calls in all states") {
  bounds b = {"two tasks, all calls, time slices", 2, {1, 1}};
  b.calls = all_calls();
  b.timeouts = {kernel::unlimited, 1};
  b.bits = {1};
  b.descriptions = {{1, false, error::none}, {0, false, error::none}};
  b.from_outside = {outside::tick, outside::raise_event, outside::notify, outside::handle_pending, outside::overwrite};
  b.slice = 2;
  visit_all(b);
}

TEST_CASE("two tasks that make mistakes make all calls in all states") {
  bounds b = {"two tasks, all calls, mistakes", 2, {0, 1}};
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
  constexpr uint32_t of_leases = 1u << static_cast<uint8_t>(error::bad_lease);
  constexpr uint32_t all_errors = ((1u << kernel::errors) - 1) & ~of_leases;
  CHECK(visit_all(b) == all_errors);
}
