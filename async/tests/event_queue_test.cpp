// SPDX-License-Identifier: MIT
#include <algorithm>
#include <baton/async/loop.hpp>
#include <baton/async/message_queue.hpp>
#include <baton/test/trace.hpp>
#include <deque>
#include <memory>
#include <random>
#include <string>

using namespace baton;
using async::message_queue;
using async::task;

namespace {

struct event {
  uint16_t type;
  uint16_t target;
  uint32_t a;
  uint64_t b;
};
static_assert(sizeof(event) == 16, "what the suite counts");

event numbered(uint32_t n) {
  return {static_cast<uint16_t>(n % 4), 0, n, ~uint64_t{n}};
}

}  // namespace

namespace {

/// A message of three words: its size is no power of two, so positions count slots.
struct triple {
  uint64_t words[3];
};
triple numbered_triple(uint32_t n) {
  return {{n, ~uint64_t{n}, n * 3ull}};
}
bool is_whole(const event& e, uint32_t n) {
  return e.a == n && e.b == ~uint64_t{n} && e.type == n % 4;
}
bool is_whole(const triple& t, uint32_t n) {
  return t.words[0] == n && t.words[1] == ~uint64_t{n} && t.words[2] == n * 3ull;
}

/// Pushes, takes, drains and drops at random, beside a model.
template <uint32_t Capacity, typename Make>
void runs_as_a_model(Make make) {
  using message = decltype(make(0u));
  message_queue<message, Capacity> q;
  std::deque<uint32_t> model;
  std::mt19937 random(7);
  uint32_t next = 0, dropped = 0;
  const auto is_next = [&](const message& m) {
    const bool is_it = !model.empty() && is_whole(m, model.front());
    if (is_it) model.pop_front();
    return is_it;
  };
  for (int i = 0; i < 100000; ++i) {
    switch (random() % 8) {
      case 0: {
        dropped += model.size() == Capacity;
        if (model.size() == Capacity) model.pop_front();
        CHECK_WITH(q.push_over_oldest(make(next)) == status::ok, i);
        model.push_back(next++);
        break;
      }
      case 1: {
        const uint32_t at_most = random() % (Capacity + 2);
        const size_t taken = std::min<size_t>(model.size(), at_most);
        CHECK_WITH(q.drain([&](const message& m) { CHECK_WITH(is_next(m), i); }, at_most) == taken, i);
        break;
      }
      case 2:
      case 3: {
        message m{};
        const bool is_empty = model.empty();
        CHECK_WITH(q.try_receive(m) == (is_empty ? status::empty : status::ok), i);
        CHECK_WITH((is_empty || is_next(m)), i);
        break;
      }
      default: {
        const status s = q.push(make(next));
        CHECK_WITH(s == (model.size() == Capacity ? status::full : status::ok), i);
        if (s == status::ok) model.push_back(next++);
        break;
      }
    }
    CHECK_WITH(q.size() == model.size(), i);
    CHECK_WITH(q.is_empty() == model.empty(), i);
  }
  CHECK_EQ(q.dropped(), dropped);
}

}  // namespace

TEST_CASE("events come out in their order, against a model, past every wrap") {
  runs_as_a_model<8>(numbered);
  runs_as_a_model<1>(numbered);
}

TEST_CASE("messages of a size that is no power of two come out in their order, against a model") {
  runs_as_a_model<8>(numbered_triple);
  runs_as_a_model<1>(numbered_triple);
}

TEST_CASE("what handles events may push more; a bounded drain leaves the rest") {
  message_queue<event, 8> q;
  std::string order;
  CHECK_EQ(q.push(numbered(1)), status::ok);
  CHECK_EQ(q.push(numbered(2)), status::ok);
  auto handle = [&](const event& e) {
    order += static_cast<char>('0' + e.a);
    if (e.a < 5) CHECK_EQ(q.push(numbered(e.a + 4)), status::ok);
  };
  CHECK_EQ(q.drain(handle, 3), 3u);
  CHECK_EQ(order, "125");
  CHECK_EQ(q.drain(handle), 1u);
  CHECK_EQ(order, "1256");
  CHECK_EQ(q.drain(handle), 0u);
}

TEST_CASE("a full queue refuses, or drops its oldest and counts it") {
  message_queue<event, 2> q;
  CHECK_EQ(q.push(numbered(1)), status::ok);
  CHECK_EQ(q.push(numbered(2)), status::ok);
  CHECK_EQ(q.push(numbered(3)), status::full);
  CHECK_EQ(q.push_over_oldest(numbered(4)), status::ok);
  CHECK_EQ(q.dropped(), 1u);
  std::string order;
  q.drain([&](const event& e) { order += static_cast<char>('0' + e.a); });
  CHECK_EQ(order, "24");
  q.close();
  CHECK_EQ(q.push(numbered(5)), status::closed);
  CHECK_EQ(q.push_over_oldest(numbered(5)), status::closed);
}

TEST_CASE("a handler that waits is woken by the first event, and takes those that came until it ran") {
  auto l = std::make_unique<async::loop>();
  message_queue<event, 8> q;
  std::string order;
  l->spawn([](message_queue<event, 8>& from, std::string& to) -> task<> {
    while (co_await from.wait() == status::ok) {
      to += '(';
      from.drain([&](const event& e) { to += static_cast<char>('0' + e.a); });
      to += ')';
    }
    to += '.';
  }(q, order));
  l->spawn([](message_queue<event, 8>& to) -> task<> {
    for (uint32_t i = 1; i <= 3; ++i) CHECK_EQ(to.push(numbered(i)), status::ok);
    co_await async::sleep_for(milliseconds(1));
    CHECK_EQ(to.push(numbered(4)), status::ok);
    to.close();
  }(q));
  l->run();
  CHECK_EQ(order, "(123)(4).");
}

TEST_CASE("who waits to receive gets one event each, in the order in which they came; a deadline takes none") {
  auto l = std::make_unique<async::loop>();
  message_queue<event, 4> q;
  std::string order;
  auto receive = [](message_queue<event, 4>& from, std::string& to, char name, duration limit) -> task<> {
    event e{};
    const status s = co_await async::within(limit, from.receive(e));
    to += name;
    to += s == status::ok ? static_cast<char>('0' + e.a) : '-';
  };
  l->spawn(receive(q, order, 'a', milliseconds(9)));
  l->spawn(receive(q, order, 'b', milliseconds(2)));
  l->spawn(receive(q, order, 'c', milliseconds(9)));
  l->spawn([](message_queue<event, 4>& to) -> task<> {
    co_await async::sleep_for(milliseconds(5));
    for (uint32_t i = 1; i <= 3; ++i) CHECK_EQ(to.push(numbered(i)), status::ok);
    CHECK_EQ(to.size(), 1u);
  }(q));
  l->run();
  CHECK_EQ(order, "b-a1c2");
}

TEST_CASE("each event wakes one of those who wait for one") {
  auto l = std::make_unique<async::loop>();
  message_queue<event, 4> q;
  std::string order;
  auto serve = [](message_queue<event, 4>& from, std::string& to, char name) -> task<> {
    if (co_await from.wait() != status::ok) co_return;
    event e{};
    to += name;
    to += from.try_receive(e) == status::ok ? static_cast<char>('0' + e.a) : '-';
  };
  async::scope some;
  some.spawn(serve(q, order, 'a'));
  l->spawn(serve(q, order, 'b'));
  l->spawn([](message_queue<event, 4>& to) -> task<> {
    CHECK_EQ(to.push(numbered(1)), status::ok);
    CHECK_EQ(to.push(numbered(2)), status::ok);
    co_return;
  }(q));
  l->run();
  CHECK_EQ(order, "a1b2");
}
