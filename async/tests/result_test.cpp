// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/test/text.hpp>

using namespace baton;
using async::result;
using async::task;
using text = test::text_sink<40>;

namespace {

struct query {
  int number;
};

/// An object that is counted as long as it holds its number.
class counted {
 public:
  counted(int number, int& alive) : number_(number), alive_(&alive) { ++*alive_; }
  counted(const counted& other) noexcept : number_(other.number_), alive_(other.alive_) { take(); }
  counted(counted&& other) noexcept : number_(other.number_), alive_(other.alive_) { other.alive_ = nullptr; }
  counted& operator=(counted other) noexcept {
    number_ = other.number_;
    int* const mine = alive_;
    alive_ = other.alive_;
    other.alive_ = mine;
    return *this;
  }
  ~counted() {
    if (alive_) --*alive_;
  }

  int number() const { return number_; }

 private:
  void take() {
    if (alive_) ++*alive_;
  }

  int number_;
  int* alive_;
};

/// Adds the number in decimal, if there is one.
void say(text& to, const result<int>& r) {
  if (!r) return void(to += '?');
  if (*r >= 10) to += static_cast<char>('0' + *r / 10);
  to += static_cast<char>('0' + *r % 10);
}
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
  int alive = 0;
  {
    result<counted> a = counted(7, alive);
    result<counted> b = a;
    result<counted> c = status::closed;
    CHECK_EQ(alive, 2);
    c = b;
    CHECK_EQ(alive, 3);
    b = status::timed_out;
    CHECK_EQ(alive, 2);
    CHECK(a.has_value());
    CHECK(!b);
    CHECK_EQ(b.status(), status::timed_out);
    CHECK_EQ(c->number(), 7);
    const counted out = static_cast<result<counted>&&>(c).value();
    CHECK_EQ(out.number(), 7);
    CHECK_EQ(alive, 2);
  }
  CHECK_EQ(alive, 0);
  CHECK_EQ(result<int>(status::closed).value_or(5), 5);
  CHECK_EQ(result<int>(4).value_or(5), 4);
  CHECK(static_cast<bool>(result<void>()));
  CHECK_EQ(result<void>(status::peer_gone).status(), status::peer_gone);
}

TEST_CASE("a value of a channel and a reply of an endpoint come out of co_await, with a deadline too") {
  channel<int, 2> c;
  desk at;
  async::scope s;
  text seen;
  s.spawn(serve(at, 2));
  s.spawn([](channel<int, 2>& from, desk& to, text& said) -> task<> {
    result<int> first = co_await async::receive(from);
    say(said, first);
    result<int> late = co_await async::within(milliseconds(1), async::receive(from));
    said += late.status() == status::timed_out ? " late" : "?";
    result<int> answer = co_await async::call(to, query{21});
    said += ' ';
    say(said, answer);
    result<int> slow = co_await async::within(milliseconds(1), async::call(to, query{4}));
    said += slow.status() == status::timed_out ? " slow" : "?";
    from.close();
    said += (co_await async::receive(from)).status() == status::closed ? " closed" : "?";
  }(c, at, seen));
  CHECK_EQ(c.try_send(3), status::ok);
  scheduler::run();
  CHECK_TEXT(seen, "3 late 42 slow closed");
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

#if !BATON_ASYNC_THROWS
TEST_CASE("value() of a result without one is refused where there are no exceptions") {
  result<int> none = status::closed;
  CHECK_TRAPS(value_of_failed_result, static_cast<void>(none.value()));
}
#endif
