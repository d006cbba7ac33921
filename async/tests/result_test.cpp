// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/check.hpp>
#include <memory>
#include <string>

using namespace baton;
using async::result;
using async::task;

namespace {

struct query {
  int number;
};
using desk = endpoint<query, int>;

task<> serve(desk& at, int times) {
  for (int i = 0; i < times; ++i) {
    desk::served_type s;
    if (co_await at.receive(s) != status::ok) co_return;
    co_await async::sleep_for(milliseconds(2));
    static_cast<void>(at.reply(s, s.request().number * 2));
  }
}

}  // namespace

TEST_CASE("a result holds a value or says why there is none; copied, moved and assigned, each is destroyed once") {
  auto counted = std::make_shared<int>(7);
  {
    result<std::shared_ptr<int>> a = counted;
    result<std::shared_ptr<int>> b = a;
    result<std::shared_ptr<int>> c = status::closed;
    CHECK_EQ(counted.use_count(), 3);
    c = b;
    CHECK_EQ(counted.use_count(), 4);
    b = status::timed_out;
    CHECK_EQ(counted.use_count(), 3);
    CHECK(a.has_value());
    CHECK(!b);
    CHECK_EQ(b.status(), status::timed_out);
    CHECK_EQ(**c, 7);
    const std::shared_ptr<int> out = std::move(c).value();
    CHECK_EQ(*out, 7);
  }
  CHECK_EQ(counted.use_count(), 1);
  const result<std::string> text = std::string("long enough to lie on the heap, this one");
  CHECK_EQ(text->size(), 40u);
  CHECK_EQ(result<int>(status::closed).value_or(5), 5);
  CHECK_EQ(result<int>(4).value_or(5), 4);
  CHECK(static_cast<bool>(result<void>()));
  CHECK_EQ(result<void>(status::peer_gone).status(), status::peer_gone);
}

TEST_CASE("a value of a channel and a reply of an endpoint come out of co_await, with a deadline too") {
  channel<int, 2> c;
  desk at;
  async::scope s;
  std::string seen;
  s.spawn(serve(at, 2));
  s.spawn([](channel<int, 2>& from, desk& to, std::string& text) -> task<> {
    result<int> first = co_await async::receive(from);
    text += first ? std::to_string(*first) : "?";
    result<int> late = co_await async::within(milliseconds(1), async::receive(from));
    text += late.status() == status::timed_out ? " late" : "?";
    result<int> answer = co_await async::call(to, query{21});
    text += answer ? " " + std::to_string(answer.value()) : "?";
    result<int> slow = co_await async::within(milliseconds(1), async::call(to, query{4}));
    text += slow.status() == status::timed_out ? " slow" : "?";
    from.close();
    text += (co_await async::receive(from)).status() == status::closed ? " closed" : "?";
  }(c, at, seen));
  CHECK_EQ(c.try_send(3), status::ok);
  scheduler::run();
  CHECK_EQ(seen, "3 late 42 slow closed");
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("a task with a deadline gives its result in time, and is stopped when it is late") {
  async::scope s;
  int stopped = 0;
  auto slow = [](uint32_t ms, int& n) -> task<int> {
    if (co_await async::sleep_for(milliseconds(ms)) == status::cancelled) ++n;
    co_return 5;
  };
  auto nothing = [](uint32_t ms) -> task<> { co_await async::sleep_for(milliseconds(ms)); };
  s.spawn([](decltype(slow)& work, decltype(nothing)& other, int& n) -> task<> {
    result<int> a = co_await async::within(milliseconds(10), work(3, n));
    CHECK_EQ(a.value_or(0), 5);
    CHECK_EQ(port::now(), milliseconds(3));
    result<int> b = co_await async::within(milliseconds(10), work(30, n));
    CHECK_EQ(b.status(), status::timed_out);
    CHECK_EQ(port::now(), milliseconds(13));
    CHECK_EQ(n, 1);
    CHECK((co_await async::within(milliseconds(10), other(1))).has_value());
    CHECK_EQ((co_await async::within(milliseconds(1), other(9))).status(), status::timed_out);
  }(slow, nothing, stopped));
  scheduler::run();
  CHECK_EQ(s.running(), 0u);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("what is not there is not read") {
  result<int> none = status::closed;
  CHECK_TRAPS(access_to_failed_result, static_cast<void>(*none));
  CHECK_TRAPS(ok_result_without_value, static_cast<void>(result<int>(status::ok)));
}
