// SPDX-License-Identifier: MIT
#include <waits/visit.hpp>

// Every state that a small system of tasks can reach through core's wait protocol, compared with a
// model of it (support/waits/model.hpp). Each test case is a system, with its bounds. Any event can
// come in any state: so a cancel, a restart and a deadline come at every place. A failure prints a
// shortest path to it.

using namespace baton;
using namespace test::waits;

namespace {

/// A build with a sanitizer or with coverage has no time for all states.
#if defined(BATON_TEST_FEWER_STATES)
constexpr bool visits_all = false;
constexpr test::search::limits most = {size_t{1} << 24, test::search::no_limit};
#else
constexpr bool visits_all = true;
constexpr test::search::limits most = {size_t{1} << 30, test::search::no_limit};
#endif

template <typename Kinds>
void visit_all(const bounds& b) {
  const bool is_complete = visit<Kinds>(b, most);
  CHECK((is_complete || !visits_all));
}

}  // namespace

TEST_CASE("three tasks wait in a rendezvous in all states") {
  bounds b = {"three tasks, rendezvous", 3, {0}};
  b.orders = {order::send, order::receive, order::yield, order::suspend_self, order::end};
  b.acts = {act::try_send, act::try_receive, act::close,  act::make_anew, act::start,
            act::cancel,   act::suspend,     act::resume, act::restart,   act::destroy};
  visit_all<kinds<0, 1, waiting, no_deadlines, no_selects>>(b);
}

TEST_CASE("three tasks wait in a channel with a slot in all states") {
  bounds b = {"three tasks, channel", 3, {1}};
  b.orders = {order::send, order::receive, order::yield};
  b.acts = {act::try_send, act::try_receive, act::close,  act::start,
            act::cancel,   act::suspend,     act::resume, act::restart};
  visit_all<kinds<0, 1, waiting, no_deadlines, no_selects>>(b);
}

TEST_CASE("two tasks with deadlines wait in a channel in all states") {
  bounds b = {"two tasks, channel, deadlines", 2, {1}};
  b.orders = {order::send, order::receive, order::yield, order::suspend_self, order::sleep, order::end};
  b.acts = {act::tick,   act::try_send, act::try_receive, act::close,   act::make_anew, act::start,
            act::cancel, act::suspend,  act::resume,      act::restart, act::destroy};
  b.limits = {unlimited, 0, 1};
  visit_all<kinds<0, 1, deadline, has_deadlines, no_selects>>(b);
}

TEST_CASE("three tasks call in all states") {
  bounds b = {"three tasks, calls", 3, {the_endpoint}};
  b.orders = {order::call, order::serve};
  b.acts = {act::start, act::cancel, act::restart, act::close, act::reply};
  visit_all<kinds<0, 1, waiting, no_deadlines, no_selects>>(b);
}

TEST_CASE("two tasks with deadlines call in all states") {
  bounds b = {"two tasks, calls, deadlines", 2, {the_endpoint}};
  b.orders = {order::call, order::serve, order::yield, order::suspend_self, order::sleep, order::end};
  b.acts = {act::tick,   act::close,   act::make_anew, act::reply,   act::abandon, act::start,
            act::cancel, act::suspend, act::resume,    act::restart, act::destroy};
  b.limits = {unlimited, 0, 1, 2};
  visit_all<kinds<0, 1, deadline, has_deadlines, no_selects>>(b);
}

TEST_CASE("two tasks select in all states") {
  bounds b = {"two tasks, selects", 2, {0, 1}};
  b.orders = {order::send, order::receive, order::choose};
  b.acts = {act::close, act::start, act::cancel, act::suspend, act::resume, act::restart, act::destroy};
  visit_all<kinds<0, 1, selecting<2, waiting>, no_deadlines, has_selects>>(b);
}

TEST_CASE("two tasks with deadlines select in all states") {
  bounds b = {"two tasks, selects, deadlines", 2, {0, the_endpoint}};
  b.orders = {order::call, order::serve, order::choose};
  b.acts = {act::tick,    act::try_send, act::try_receive, act::start, act::cancel,
            act::suspend, act::resume,   act::restart,     act::reply};
  b.limits = {unlimited, 1};
  visit_all<kinds<0, 1, selecting<2, deadline>, has_deadlines, has_selects>>(b);
}

TEST_CASE("three tasks select in all states") {
  bounds b = {"three tasks, selects", 3, {0, 1}};
  b.orders = {order::choose};
  b.acts = {act::start, act::cancel};
  b.selects_in_any_order = false;
  visit_all<kinds<0, 0, selecting<2, waiting>, no_deadlines, has_selects>>(b);
}
