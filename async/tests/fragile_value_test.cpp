// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/cross_loop_base.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/loop.hpp>
#include <baton/async/when.hpp>
#include <baton/test/fragile.hpp>
#include <functional>
#include <map>
#include <memory>

// Coroutines that send values whose copy throws. Each program runs again and again: the first copy
// throws, then the second, and so on. Whoever gets the exception does the same again; then each
// value that was sent has been received once, and every coroutine has ended.

using namespace baton;
using async::task;
using test::fragile;

namespace {

/// The balance of each value: the times that it was received, less the times that it was sent.
struct books {
  std::map<int, int> balance;
  int received = 0;

  void sends(int v) { --balance[v]; }
  void receives(int v) {
    ++balance[v];
    ++received;
  }
  bool is_even() const {
    for (const auto& [value, count] : balance) {
      if (count != 0) return false;
    }
    return true;
  }
};

template <typename Channel>
task<> send_all(Channel& to, books& b, int first, int count) {
  for (int i = first; i != first + count;) {
    const fragile value(i);
    try {
      if (co_await to.send(value) != status::ok) co_return;
      b.sends(i++);
    } catch (const fragile::broken&) {
    }
  }
}

/// Sends without waiting, and closes the channel in the end.
template <typename Channel>
task<> try_to_send_all(Channel& to, books& b, int first, int count) {
  for (int i = first; i != first + count;) {
    const fragile value(i);
    try {
      if (to.try_send(value) == status::ok) b.sends(i++);
    } catch (const fragile::broken&) {
    }
    static_cast<void>(co_await async::sleep_for(milliseconds(1)));
  }
  to.close();
}

template <typename Channel>
task<> receive_all(Channel& from, books& b) {
  for (;;) {
    fragile value;
    try {
      if (co_await from.receive(value) != status::ok) co_return;
      b.receives(value.value());
    } catch (const fragile::broken&) {
    }
  }
}

/// Receives with a deadline that often comes.
template <typename Channel>
task<> receive_hastily(Channel& from, books& b, duration patience) {
  for (;;) {
    fragile value;
    try {
      const status how = co_await async::within(patience, from.receive(value));
      if (how == status::closed) co_return;
      if (how == status::ok) b.receives(value.value());
    } catch (const fragile::broken&) {
    }
  }
}

template <typename Channel>
task<> receive_from_two(Channel& first, Channel& second, books& b) {
  for (;;) {
    fragile value;
    try {
      const async::selection s = co_await async::select(first.receive(value), second.receive(value));
      if (!s) co_return;
      b.receives(value.value());
    } catch (const fragile::broken&) {
    }
  }
}

/// Receives until its scope is stopped.
template <typename Channel>
task<> receive_until_stopped(Channel& from, books& b, async::stop_token token) {
  for (;;) {
    fragile value;
    try {
      if (co_await async::until_stop(token, from.receive(value)) != status::ok) co_return;
      b.receives(value.value());
    } catch (const fragile::broken&) {
    }
  }
}

template <typename Channel>
task<> receive_results(Channel& from, books& b) {
  for (;;) {
    try {
      async::result<fragile> r = co_await async::receive(from);
      if (!r) co_return;
      b.receives(r->value());
    } catch (const fragile::broken&) {
    }
  }
}

task<> at(duration when, std::function<void()> act) {
  static_cast<void>(co_await async::sleep_for(when));
  act();
}

/// The parts of a program.
template <typename Channel>
struct stage {
  async::loop l;
  async::scope all;
  Channel pipe, other;
  books b;

  /// Ends with the last coroutine; if one is never woken, it ends when nothing else can happen.
  void run() {
    l.spawn(at(seconds(1), [] {}));
    l.run();
  }
};

/// Runs a program with the copy number 1, 2, ... thrown. `prepare` spawns it.
template <typename Channel>
void run_all(void (*prepare)(stage<Channel>&)) {
  for (int n = 1;; ++n) {
    DOCTEST_CAPTURE(n);
    test::all_copies() = test::copies();
    test::all_copies().left = n;
    {
      stage<Channel> s;
      prepare(s);
      s.run();
      CHECK_EQ(s.all.running(), 0u);
      CHECK(s.b.is_even());
      CHECK(s.b.received > 2);
      s.all.destroy_all();
    }
    CHECK_EQ(test::all_copies().alive, 0);
    CHECK_EQ(test::all_copies().corrupt, 0);
    if (test::all_copies().left != 0) {
      CHECK(n > 3);
      return;
    }
  }
}

/// The programs for both kinds of channels.
template <typename Channel>
void programs() {
  using s = stage<Channel>;
  run_all<Channel>([](s& on) {  // the receiver waits
    on.all.spawn(receive_all(on.pipe, on.b));
    on.all.spawn(send_all(on.pipe, on.b, 1, 4));
    on.all.spawn(at(milliseconds(1), [&on] { on.pipe.close(); }));
  });
  run_all<Channel>([](s& on) {  // the senders wait
    on.all.spawn(send_all(on.pipe, on.b, 1, 4));
    on.all.spawn(send_all(on.pipe, on.b, 11, 4));
    on.all.spawn(receive_all(on.pipe, on.b));
    on.all.spawn(at(milliseconds(1), [&on] { on.pipe.close(); }));
  });
  run_all<Channel>([](s& on) {  // deadlines, and sends that do not wait
    for (tick t = 1; t != 4; ++t) on.all.spawn(receive_hastily(on.pipe, on.b, milliseconds(1) + microseconds(300) * t));
    on.all.spawn(try_to_send_all(on.pipe, on.b, 1, 5));
  });
  run_all<Channel>([](s& on) {  // a select
    on.all.spawn(receive_from_two(on.pipe, on.other, on.b));
    on.all.spawn(send_all(on.other, on.b, 1, 3));
    on.all.spawn(send_all(on.pipe, on.b, 11, 3));
    on.all.spawn(at(milliseconds(1), [&on] { on.pipe.close(); }));
  });
  run_all<Channel>([](s& on) {  // a stop
    auto stopped = std::make_shared<async::stop_source>();
    on.all.spawn(receive_until_stopped(on.pipe, on.b, stopped->token()));
    on.all.spawn(receive_until_stopped(on.pipe, on.b, stopped->token()));
    on.all.spawn(send_all(on.pipe, on.b, 1, 3));
    on.all.spawn(at(milliseconds(1), [stopped] { stopped->stop(); }));
    on.all.spawn(at(milliseconds(2), [&on] { on.all.spawn(receive_all(on.pipe, on.b)); }));
    on.all.spawn(at(milliseconds(3), [&on] { on.all.spawn(send_all(on.pipe, on.b, 11, 3)); }));
    on.all.spawn(at(milliseconds(4), [&on] { on.pipe.close(); }));
  });
}

}  // namespace

TEST_CASE("a value whose copy throws is sent again through a channel, and none is lost") {
  programs<channel<fragile>>();
  programs<channel<fragile, 1>>();
  programs<channel<fragile, 3>>();
}

TEST_CASE("a value whose copy throws is sent again through a channel between loops, and none is lost") {
  programs<async::cross_loop_channel<fragile>>();
  programs<async::cross_loop_channel<fragile, 1>>();
  programs<async::cross_loop_channel<fragile, 3>>();
}

TEST_CASE("a value whose copy throws comes as a result") {
  using pipe = channel<fragile, 1>;
  run_all<pipe>([](stage<pipe>& on) {
    on.all.spawn(receive_results(on.pipe, on.b));
    on.all.spawn(send_all(on.pipe, on.b, 1, 4));
    on.all.spawn(at(milliseconds(1), [&on] { on.pipe.close(); }));
  });
}

namespace {

/// A stackless receiver and a stackless sender. What a copy throws leaves the scheduler; run again,
/// the body goes on from the wait before it.
template <typename Channel, typename Base>
struct taker : coroutine<taker<Channel, Base>, Base> {
  taker(Channel& from, books& to) : source(from), b(to) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT_FOR(milliseconds(5), source.receive(value));
      if (this->result() == status::closed) break;
      if (this->result() == status::ok) b.receives(value.value());
      BATON_YIELD();  // what throws below does not count the value again
    }
    BATON_END();
  }
  Channel& source;
  books& b;
  fragile value;
};

template <typename Channel, typename Base>
struct giver : coroutine<giver<Channel, Base>, Base> {
  giver(Channel& to, books& from, int first) : target(to), b(from), n(first), last(first + 4) {}
  point step(point at) {
    BATON_BEGIN();
    for (; n != last; ++n) {
      value = fragile{n};
      BATON_YIELD();
      BATON_WAIT(target.send(value));
      if (this->result() == status::ok) b.sends(n);
    }
    BATON_END();
  }
  Channel& target;
  books& b;
  fragile value;
  int n, last;
};

template <typename Channel, typename Base>
void run_stackless() {
  for (int n = 1;; ++n) {
    DOCTEST_CAPTURE(n);
    test::all_copies() = test::copies();
    test::all_copies().left = n;
    {
      stage<Channel> on;
      taker<Channel, Base> t(on.pipe, on.b);
      giver<Channel, Base> first(on.pipe, on.b, 1), second(on.pipe, on.b, 11);
      t.start();
      first.start();
      second.start();
      int left_the_scheduler = 0;
      for (int turn = 0; turn != 40; ++turn) {
        if (turn == 30) on.pipe.close();
        try {
          on.l.mailbox().deliver();
          scheduler::run_until_idle();
        } catch (const fragile::broken&) {
          ++left_the_scheduler;
          CHECK(!domain::running());
        }
      }
      CHECK_EQ(left_the_scheduler, test::all_copies().left == 0 ? 1 : 0);
      CHECK(t.is_done());
      CHECK(first.is_done());
      CHECK(second.is_done());
      CHECK(on.b.is_even());
      CHECK_EQ(on.b.received, 8);
    }
    CHECK_EQ(test::all_copies().alive, 0);
    if (test::all_copies().left != 0) {
      CHECK(n > 8);
      return;
    }
  }
}

}  // namespace

TEST_CASE("what a copy throws in a stackless coroutine leaves the scheduler, and the body can go on") {
  run_stackless<channel<fragile>, deadline>();
  run_stackless<channel<fragile, 2>, deadline>();
  run_stackless<async::cross_loop_channel<fragile>, async::cross_loop_base<deadline>>();
  run_stackless<async::cross_loop_channel<fragile, 2>, async::cross_loop_base<deadline>>();
}

namespace {

using pipe_between = async::cross_loop_channel<fragile, 1>;

/// Between the look and the wait another thread takes a value: there is room, and the next copy
/// throws.
struct interrupted_send : pipe_between::send_operation {
  interrupted_send(pipe_between& c, const fragile& v) : send_operation(c, v) {}
  bool try_once(waiter&) {
    fragile taken;
    CHECK_EQ(target->try_receive(taken), status::ok);
    test::all_copies().left = 1;
    return false;
  }
  bool try_now(waiter& w) { return try_once(w); }
};

/// Between the look and the wait a sender comes, whose copy throws.
struct interrupted_receive : async::cross_loop_channel<fragile>::receive_operation {
  explicit interrupted_receive(async::cross_loop_channel<fragile>& c, fragile& v) : receive_operation(c, v) {}
  bool try_once(waiter& w) {
    if (++looks == 1) return false;
    test::all_copies().left = 1;
    return receive_operation::try_once(w);
  }
  int looks = 0;
};

/// Sends; what is thrown leaves the scheduler, and the body sends again.
struct sender_between : coroutine<sender_between, async::cross_loop_base<>> {
  explicit sender_between(pipe_between& to) : target(to), value(2) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_YIELD();
    ++attempts;
    if (attempts == 1) {
      BATON_WAIT(interrupted_send(target, value));
    } else {
      BATON_WAIT(target.send(value));
    }
    ended = result();
    BATON_END();
  }
  pipe_between& target;
  fragile value;
  int attempts = 0;
  status ended = status::empty;
};

}  // namespace

TEST_CASE("a copy that throws where the coroutine would have waited has not happened") {
  test::all_copies() = test::copies();
  async::loop l;
  pipe_between pipe;
  CHECK_EQ(pipe.try_send(fragile(1)), status::ok);
  std::string order;
  l.spawn([](pipe_between& c, std::string& seen) -> task<> {
    const fragile value(2);
    try {
      static_cast<void>(co_await interrupted_send(c, value));
    } catch (const fragile::broken&) {
      seen += "thrown ";
    }
    if (co_await c.send(value) == status::ok) seen += "sent ";
    fragile got;
    if (co_await c.receive(got) == status::ok) seen += std::to_string(got.value());
  }(pipe, order));
  l.run();
  CHECK_EQ(order, "thrown sent 2");

  CHECK_EQ(pipe.try_send(fragile(1)), status::ok);
  sender_between s(pipe);
  s.start();
  DOCTEST_CHECK_THROWS_AS(scheduler::run_until_idle(), fragile::broken);
  CHECK_EQ(s.ended, status::empty);
  scheduler::run_until_idle();
  CHECK_EQ(s.attempts, 2);
  CHECK_EQ(s.ended, status::ok);
}

TEST_CASE("a select whose copy throws where it would have waited leaves the lists that it has entered") {
  test::all_copies() = test::copies();
  async::loop l;
  async::cross_loop_channel<fragile> pipe;
  async::mutex gate;
  baton::signal bell;
  std::string order;
  l.spawn([](async::cross_loop_channel<fragile>& c) -> task<> {
    const fragile value(3);
    static_cast<void>(co_await c.send(value));
  }(pipe));
  l.spawn([](async::cross_loop_channel<fragile>& c, baton::signal& b, std::string& seen) -> task<> {
    co_await async::yield();
    fragile got;
    try {
      static_cast<void>(co_await async::select(b.wait(), interrupted_receive(c, got)));
    } catch (const fragile::broken&) {
      seen += "thrown ";
    }
    b.set();
    if (b.try_take()) seen += "unheard ";  // nobody was in the bell's list
    const async::selection s = co_await async::select(b.wait(), c.receive(got));
    if (s && s.index == 1) seen += std::to_string(got.value());
  }(pipe, bell, order));
  l.run();
  CHECK_EQ(order, "thrown unheard 3");
}

namespace {

/// Has no default constructor.
struct rigid : fragile {
  explicit rigid(int v) : fragile(v) {}
};
/// The same, copied as bytes.
struct number {
  explicit number(int v) : value_(v) {}
  int value() const { return value_; }
  int value_;
};

template <typename Channel, typename T>
task<> send_two_each(Channel& to) {
  for (int i = 1; i != 5; ++i) {
    const T value(i);
    static_cast<void>(co_await to.send(value));
    if (i == 2) co_await async::yield();
  }
  to.close();
}
template <typename Channel>
task<> sum_up(Channel& from, int& sum) {
  for (;;) {
    auto r = co_await async::within(milliseconds(1), async::receive(from));
    if (r.status() == status::closed) co_return;
    if (r) sum = sum * 10 + r->value();
  }
}

template <typename T, uint16_t Capacity, bool ReceiverFirst>
int received_without_default() {
  using pipe_type = channel<T, Capacity>;
  pipe_type pipe;
  async::scope all;
  int sum = 0;
  if (ReceiverFirst) all.spawn(sum_up(pipe, sum));
  all.spawn(send_two_each<pipe_type, T>(pipe));
  if (!ReceiverFirst) all.spawn(sum_up(pipe, sum));
  scheduler::run();
  CHECK_EQ(all.running(), 0u);
  all.destroy_all();
  return sum;
}

}  // namespace

TEST_CASE("a value without a default constructor comes as a result") {
  test::all_copies() = test::copies();
  CHECK_EQ((received_without_default<rigid, 0, true>()), 1234);
  CHECK_EQ((received_without_default<rigid, 0, false>()), 1234);
  CHECK_EQ((received_without_default<rigid, 3, true>()), 1234);
  CHECK_EQ((received_without_default<rigid, 2, false>()), 1234);
  CHECK_EQ((received_without_default<number, 0, true>()), 1234);
  CHECK_EQ((received_without_default<number, 3, false>()), 1234);
  CHECK_EQ(test::all_copies().alive, 0);
  CHECK_EQ(test::all_copies().corrupt, 0);
}

TEST_CASE("a value that was constructed for a coroutine which is destroyed before it runs is destroyed and counted") {
  test::all_copies() = test::copies();
  const uint16_t dropped = dropped_values();
  {
    channel<rigid> pipe;
    async::scope all;
    int sum = 0;
    all.spawn(sum_up(pipe, sum));
    scheduler::run_until_idle();
    CHECK_EQ(pipe.try_send(rigid(1)), status::ok);
    CHECK_EQ(test::all_copies().alive, 1);
    all.destroy_all();
    CHECK_EQ(test::all_copies().alive, 0);
  }
  CHECK_EQ(dropped_values() - dropped, 1);
  CHECK_EQ(test::all_copies().corrupt, 0);
}

namespace {

using pointer = std::unique_ptr<int>;

template <typename Channel>
task<> send_pointers(Channel& to, std::string& seen) {
  auto late = std::make_unique<int>(9);
  if (co_await async::within(milliseconds(1), to.send(std::move(late))) == status::timed_out && late) seen += "kept ";
  for (int i = 1; i != 4; ++i) {
    auto value = std::make_unique<int>(i);
    if (co_await to.send(std::move(value)) == status::ok && !value) seen += "sent ";
  }
  to.close();
}
template <typename Channel>
task<> receive_pointers(Channel& from, std::string& seen) {
  static_cast<void>(co_await async::sleep_for(milliseconds(2)));
  pointer value;
  while (co_await from.receive(value) == status::ok) seen += std::to_string(*value) + " ";
}

template <typename Channel>
std::string pointers_through(bool is_full_at_first) {
  std::string seen;
  async::loop l;
  Channel pipe;
  if (is_full_at_first) CHECK_EQ(pipe.try_send(std::make_unique<int>(7)), status::ok);
  auto spare = std::make_unique<int>(8);
  CHECK_EQ(pipe.try_send(std::move(spare)), status::full);
  CHECK(spare != nullptr);
  l.spawn(send_pointers(pipe, seen));
  l.spawn(receive_pointers(pipe, seen));
  l.run();
  return seen;
}

task<pointer> make_pointer(int n) {
  static_cast<void>(co_await async::sleep_for(milliseconds(1)));
  co_return std::make_unique<int>(n);
}

}  // namespace

TEST_CASE("a value that can only be moved is sent, received, and kept by a send that was not done") {
  CHECK_EQ(pointers_through<channel<pointer>>(false), "kept 1 sent sent 2 3 sent ");
  CHECK_EQ((pointers_through<channel<pointer, 1>>(true)), "kept 7 1 sent sent sent 2 3 ");
  CHECK_EQ(pointers_through<async::cross_loop_channel<pointer>>(false), "kept 1 sent sent 2 3 sent ");
  CHECK_EQ((pointers_through<async::cross_loop_channel<pointer, 1>>(true)), "kept 7 1 sent sent sent 2 3 ");
}

TEST_CASE(
    "a value that can only be moved is the result of a task, with a deadline or beside another, and of a receive") {
  channel<pointer, 1> pipe;
  int sum = 0;
  async::scope all;
  all.spawn([](channel<pointer, 1>& c, int& to) -> task<> {
    async::result<pointer> r = co_await async::within(milliseconds(5), make_pointer(1));
    to += **r;
    auto [a, b] = co_await async::when_all(make_pointer(10), make_pointer(20));
    to += *a + *b;
    CHECK_EQ(c.try_send(std::move(a)), status::ok);
    async::result<pointer> got = co_await async::receive(c);
    to += *got.value();
    async::result<pointer> moved = status::timed_out;
    moved = std::move(got);
    to += **moved;
  }(pipe, sum));
  scheduler::run();
  CHECK_EQ(sum, 1 + 10 + 20 + 10 + 10);
}

namespace {

/// Its move throws: the result of a task may have such a type.
struct heavy {
  explicit heavy(int v) : value(v) {}
  // NOLINTNEXTLINE(performance-noexcept-move-constructor,bugprone-exception-escape): tested
  heavy(heavy&& other) noexcept(false) : value(other.value) {
    if (--moves_left == 0) throw fragile::broken();
  }
  int value;
  static inline int moves_left = 0;
};

task<heavy> make_heavy(int v) {
  static_cast<void>(co_await async::sleep_for(milliseconds(1)));
  co_return heavy(v);
}

}  // namespace

TEST_CASE("a result that a value could not be moved into has none") {
  heavy::moves_left = 0;
  async::result<heavy> from(heavy(1));
  async::result<heavy> to = status::timed_out;
  heavy::moves_left = 1;
  DOCTEST_CHECK_THROWS_AS(to = std::move(from), fragile::broken);
  CHECK(!to);
  CHECK_EQ(to.status(), status::cancelled);
  to = std::move(from);  // NOLINT(bugprone-use-after-move): the first move has failed
  CHECK_EQ(to->value, 1);
}

TEST_CASE("a result whose move throws reaches who awaits the task as an exception") {
  for (int n = 1;; ++n) {
    heavy::moves_left = n;
    int got = 0;
    int thrown = 0;
    async::scope all;
    all.spawn([](int& value, int& exceptions) -> task<> {
      try {
        value += (co_await make_heavy(1)).value;
      } catch (const fragile::broken&) {
        ++exceptions;
      }
      try {
        async::result<heavy> r = co_await async::within(milliseconds(5), make_heavy(2));
        value += r->value;
      } catch (const fragile::broken&) {
        ++exceptions;
      }
    }(got, thrown));
    scheduler::run();
    CHECK_EQ(all.running(), 0u);
    if (heavy::moves_left > 0) {
      CHECK_EQ(got, 3);
      CHECK(n > 4);
      break;
    }
    CHECK_EQ(thrown, 1);
    CHECK(got < 3);
  }
  CHECK_EQ(async::frames().frames, 0u);
}
