// SPDX-License-Identifier: MIT
#include <search/visit.hpp>

// The states of systems that are too large for an ordinary test: as many as 8 GiB and 20 minutes of
// the processor allow. The output says how many that were, and whether these are all.

using namespace baton;
using namespace test::search;
using kernel::call_number;
using kernel::error;

namespace {

constexpr limits a_night = {size_t{8} << 30, 20 * 60};

}  // namespace

TEST_CASE("four tasks send, receive and reply in all states") {
  bounds b = {"four tasks, messages", 4, {0, 0, 1, 2}};
  b.calls = numbers_of({call_number::send, call_number::receive, call_number::reply, call_number::reply_receive,
                        call_number::yield, call_number::sleep});
  b.timeouts = {kernel::unlimited, 0, 1, 2};
  b.from_outside = {outside::tick, outside::handle_pending};
  visit(b, a_night);
}

TEST_CASE("three tasks make all calls in all states") {
  bounds b = {"three tasks, all calls", 3, {0, 1, 1}};
  b.calls = all_calls();
  b.timeouts = {kernel::unlimited, 0, 1};
  b.bits = {1};
  b.has_mistakes = true;
  b.descriptions = {{0, false, error::none}, {1, false, error::none}, {2, true, error::none}};
  b.from_outside = {outside::tick,           outside::raise_event, outside::notify,
                    outside::handle_pending, outside::overwrite,   outside::fault};
  visit(b, a_night);
}

TEST_CASE("three tasks send and lend memory, end and are made in all states") {
  bounds b = {"three tasks, messages, leases and ends", 3, {0, 0, 1}};
  b.calls = numbers_of({call_number::send_lending, call_number::copy_from, call_number::copy_to, call_number::send,
                        call_number::receive, call_number::reply, call_number::kill, call_number::create});
  b.are_privileged = true;
  b.timeouts = {kernel::unlimited, 1};
  b.capacities = {2};
  b.descriptions = {{0, true, error::none}};
  b.from_outside = {outside::tick, outside::handle_pending};
  visit(b, a_night);
}

TEST_CASE("three tasks hear of ends while they receive in all states") {
  bounds b = {"three tasks, reports and messages", 3, {1, 0}};
  b.calls = numbers_of({call_number::create, call_number::exit, call_number::kill, call_number::take_end_report,
                        call_number::set_notification_mask, call_number::wait_notification, call_number::receive});
  b.are_privileged = true;
  b.bits = {told_of_end};
  b.descriptions = {{0, false, error::none}, {1, true, error::none}};
  b.reports = 2;
  b.from_outside = {outside::fault};
  visit(b, a_night);
}
