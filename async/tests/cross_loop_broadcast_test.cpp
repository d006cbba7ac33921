// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/cross_loop_base.hpp>
#include <baton/async/cross_loop_broadcast.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/loop.hpp>
#include <baton/test/check.hpp>
#include <baton/test/random.hpp>
#include <deque>
#include <memory>
#include <string>
#include <vector>

/// Broadcasts between loops, on one thread: the test does between two steps what another thread
/// could do at a bad moment.
using namespace baton;
using async::cross_loop_broadcast;
using async::task;

namespace {

using lossy = cross_loop_broadcast<int, 2, slow_reader::loses_oldest>;
using lossless = cross_loop_broadcast<int, 2, slow_reader::holds_sender>;

char letter(status s) {
  return "kfeXtcpTn"[static_cast<uint8_t>(s)];
}

template <typename Broadcast>
struct fixture {
  Broadcast news;
  std::string order;
  async::loop l;

  void step() { scheduler::run_until_idle(); }
  void turn() {
    l.mailbox().deliver();
    step();
  }
};

template <typename Broadcast>
task<> reads(fixture<Broadcast>& on, char name, int pause = 0) {
  typename Broadcast::reader r;
  on.news.subscribe(r);
  for (;;) {
    const status how = co_await on.news.receive(r);
    on.order += name;
    if (how != status::ok) {
      on.order += letter(how);
      co_return;
    }
    on.order += std::to_string(r.value());
    if (r.lost()) on.order += "-" + std::to_string(r.lost());
    for (int i = 0; i != pause; ++i) co_await async::yield();
  }
}

template <typename Broadcast>
task<> sends(fixture<Broadcast>& on, int value) {
  const status how = co_await on.news.send(value);
  on.order += "s" + std::to_string(value) + letter(how);
}

}  // namespace

TEST_CASE("each reader receives each value that is sent after it has subscribed") {
  fixture<lossy> f;
  CHECK_EQ(f.news.try_send(1), status::ok);  // nobody has subscribed
  for (char name : {'a', 'b'}) f.l.spawn(reads(f, name));
  f.step();
  CHECK_EQ(f.news.try_send(2), status::ok);
  CHECK_EQ(f.order, "");  // on its way
  f.turn();
  CHECK_EQ(f.order, "a2b2");
  f.l.spawn(sends(f, 3));
  f.turn();
  CHECK_EQ(f.order, "a2b2s3k");
  f.turn();
  CHECK_EQ(f.order, "a2b2s3ka3b3");
  CHECK_EQ(f.news.try_send(4), status::ok);
  CHECK_EQ(f.news.try_send(5), status::ok);
  f.news.close();
  CHECK_EQ(f.news.try_send(6), status::closed);
  f.turn();
  CHECK_EQ(f.order, "a2b2s3ka3b3a4a5aXb4b5bX");
}

TEST_CASE("a slow reader loses the oldest values, and is told how many") {
  lossy news;
  lossy::reader r;
  news.subscribe(r);
  CHECK_EQ(news.try_receive(r), status::empty);
  for (int i = 1; i <= 5; ++i) CHECK_EQ(news.try_send(i), status::ok);
  CHECK_EQ(news.try_receive(r), status::ok);
  CHECK_EQ(r.value(), 4);
  CHECK_EQ(r.lost(), 3u);
  CHECK_EQ(news.try_receive(r), status::ok);
  CHECK_EQ(r.value(), 5);
  CHECK_EQ(r.lost(), 0u);
  CHECK_EQ(news.try_send(6), status::ok);
  news.subscribe(r);  // skips it
  CHECK_EQ(news.try_receive(r), status::empty);
  news.close();
  CHECK_EQ(news.try_receive(r), status::closed);
}

TEST_CASE("a slow reader holds the senders, who go on first in, first out, when it receives or leaves") {
  fixture<lossless> f;
  auto slow = std::make_unique<lossless::reader>();
  f.news.subscribe(*slow);
  f.l.spawn(reads(f, 'a'));
  f.step();
  for (int i = 1; i <= 5; ++i) f.l.spawn(sends(f, i));
  f.turn();
  f.turn();
  CHECK_EQ(f.order, "s1ks2ka1a2");
  CHECK_EQ(f.news.try_send(9), status::full);
  CHECK_EQ(f.news.try_receive(*slow), status::ok);
  CHECK_EQ(slow->value(), 1);
  f.turn();
  CHECK_EQ(f.order, "s1ks2ka1a2s3ka3");
  CHECK_EQ(f.news.try_send(9), status::full);
  slow.reset();
  f.turn();
  f.turn();
  CHECK_EQ(f.order, "s1ks2ka1a2s3ka3s4ka4a5s5k");
  CHECK_EQ(f.news.try_send(6), status::ok);
  f.news.close();
  f.turn();
  CHECK_EQ(f.order, "s1ks2ka1a2s3ka3s4ka4a5s5ka6aX");
}

TEST_CASE("a deadline and a stop withdraw a send and a receive, or come too late") {
  fixture<lossless> f;
  lossless::reader slow;
  f.news.subscribe(slow);
  async::scope s;
  s.spawn([](fixture<lossless>& on) -> task<> {
    for (int i = 1; i != 4; ++i) on.order += letter(co_await async::within(milliseconds(1), on.news.send(i)));
    on.order += letter(co_await on.news.send(4));  // handed over before the stop
    on.order += letter(co_await on.news.send(5));
  }(f));
  f.l.spawn([](fixture<lossless>&) -> task<> { co_await async::sleep_for(milliseconds(2)); }(f));
  f.l.run();
  CHECK_EQ(f.order, "kkt");
  CHECK_EQ(f.news.try_receive(slow), status::ok);
  s.stop();
  f.turn();
  CHECK_EQ(f.order, "kktkc");
  std::string got;
  while (f.news.try_receive(slow) == status::ok) got += std::to_string(slow.value());
  CHECK_EQ(got, "24");
}

TEST_CASE("both operations are cases of a select, and waits of a stackless coroutine") {
  struct reader : coroutine<reader, async::cross_loop_base<>> {
    explicit reader(fixture<lossless>& f) : on(f) { f.news.subscribe(r); }
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_WAIT(on.news.receive(r));
        if (result() != status::ok) break;
        on.order += "l" + std::to_string(r.value());
      }
      BATON_END();
    }
    fixture<lossless>& on;
    lossless::reader r;
  };
  fixture<lossless> f;
  async::cross_loop_channel<int> orders;
  reader stackless(f);
  stackless.start();
  f.step();
  f.l.spawn([](fixture<lossless>& on, async::cross_loop_channel<int>& from) -> task<> {
    lossless::reader r;
    on.news.subscribe(r);
    for (;;) {
      int n = 0;
      const async::selection which = co_await async::select(from.receive(n), on.news.receive(r));
      if (which.status != status::ok) co_return;
      on.order += which.index == 1 ? "w" + std::to_string(r.value()) : "c" + std::to_string(n);
    }
  }(f, orders));
  f.step();
  CHECK_EQ(f.news.try_send(1), status::ok);
  CHECK_EQ(orders.try_send(5), status::full);  // the select has been decided
  f.turn();
  CHECK_EQ(f.order, "l1w1");
  CHECK_EQ(orders.try_send(5), status::ok);
  CHECK_EQ(f.news.try_send(2), status::ok);  // to the stackless one; the select reads it later
  f.turn();
  CHECK_EQ(f.order, "l1w1c5w2l2");
  lossless::reader slow;
  f.news.subscribe(slow);
  for (int i = 3; i != 5; ++i) CHECK_EQ(f.news.try_send(i), status::ok);
  f.l.spawn([](fixture<lossless>& on) -> task<> {
    async::cross_loop_channel<int> never;
    int n = 0;
    const int six = 6;
    const async::selection which = co_await async::select(never.receive(n), on.news.send(six));
    on.order += "=" + std::to_string(which.index) + letter(which.status);
  }(f));
  f.turn();
  CHECK_EQ(f.order, "l1w1c5w2l2w3w4l3l4");
  CHECK_EQ(f.news.try_receive(slow), status::ok);
  f.turn();
  CHECK_EQ(f.order, "l1w1c5w2l2w3w4l3l4=1kw6l6");
  f.news.close();
  f.turn();
  CHECK(stackless.is_done());
  CHECK_EQ(f.l.all().running(), 0u);
}

TEST_CASE("a receiver that is destroyed while it waits leaves; with a value on its way, that is counted") {
  fixture<lossless> f;
  const uint16_t before = dropped_values();
  async::scope s;
  s.spawn(reads(f, 'a'));
  f.step();
  s.destroy_all();
  CHECK_EQ(dropped_values() - before, 0);
  s.spawn(reads(f, 'b'));
  f.step();
  CHECK_EQ(f.news.try_send(1), status::ok);
  s.destroy_all();
  CHECK_EQ(dropped_values() - before, 1);
  for (int i = 0; i != 5; ++i) CHECK_EQ(f.news.try_send(i), status::ok);  // no reader holds them
  f.turn();
  CHECK_EQ(f.order, "");
}

TEST_CASE("a loop that ends lets its readers and senders go") {
  lossless news;
  lossless::reader slow;
  news.subscribe(slow);
  std::string order;
  {
    async::loop l;
    for (int i = 1; i != 5; ++i) {
      l.spawn([](lossless& to, int value) -> task<> { static_cast<void>(co_await to.send(value)); }(news, i));
    }
    l.spawn([](lossless& from) -> task<> {
      lossless::reader r;
      from.subscribe(r);
      while (co_await from.receive(r) == status::ok) {
      }
    }(news));
    scheduler::run_until_idle();
  }
  std::string got;
  while (news.try_receive(slow) == status::ok) got += std::to_string(slow.value());
  CHECK_EQ(got, "12");
}

TEST_CASE("a reader changes from one broadcast to another, and one that has not subscribed is refused") {
  lossy one, other;
  lossy::reader r;
  CHECK_TRAPS(cross_loop_receive_before_subscribe, static_cast<void>(one.try_receive(r)));
  one.subscribe(r);
  CHECK_EQ(one.try_send(1), status::ok);
  other.subscribe(r);
  CHECK_TRAPS(cross_loop_receive_before_subscribe, static_cast<void>(one.try_receive(r)));
  CHECK_EQ(other.try_send(2), status::ok);
  CHECK_EQ(other.try_receive(r), status::ok);
  CHECK_EQ(r.value(), 2);
  other.unsubscribe(r);
  other.unsubscribe(r);
  CHECK_TRAPS(cross_loop_receive_before_subscribe, static_cast<void>(other.try_receive(r)));
}

TEST_CASE("values that are shared: a broadcast of pointers frees what every reader has left") {
  using text = std::shared_ptr<const std::string>;
  cross_loop_broadcast<text, 1, slow_reader::holds_sender> news;
  std::weak_ptr<const std::string> first;
  {
    decltype(news)::reader a, b;
    news.subscribe(a);
    news.subscribe(b);
    {
      const text t = std::make_shared<const std::string>("first");
      first = t;
      CHECK_EQ(news.try_send(t), status::ok);
    }
    CHECK_EQ(news.try_send(nullptr), status::full);
    CHECK_EQ(news.try_receive(a), status::ok);
    CHECK_EQ(news.try_receive(b), status::ok);
    CHECK(a.value() == b.value());
    CHECK_EQ(news.try_send(nullptr), status::ok);
    CHECK(!first.expired());
    CHECK_EQ(news.try_receive(a), status::ok);
    CHECK_EQ(news.try_receive(b), status::ok);
    CHECK(first.expired());
  }
}

namespace {

/// The model: every value that was sent, the place of each reader in them, the senders that wait.
template <typename Broadcast, bool HoldsSender>
class world {
  static constexpr uint16_t readers = 3, senders = 4, slots = 2;

  struct actor {
    async::scope s;
    typename Broadcast::reader r;
    int value = 0;
    bool waits = false, has_ended = false;  // the coroutine
    bool is_due = false;                    // the model: its end has been decided
    status how = status::ok, expected = status::ok;
    int expected_value = 0;
    uint64_t expected_lost = 0;
    bool is_in = false;
    size_t at = 0;
  };

 public:
  explicit world(uint32_t seed) : seed_(seed), chance_(seed) {}

  void run() {
    for (int i = 0; i != 300; ++i) {
      act(i);
      if (chance_.one_in(3)) arrive();
    }
    news_.close();
    for (actor& a : read_) end(a, status::closed);
    for (size_t s : waiting_) end(send_[s], status::closed);
    waiting_.clear();
    arrive();
  }

 private:
  void act(int i) {
    actor& r = read_[chance_.below(readers)];
    const size_t s = chance_.below(senders);
    switch (chance_.below(8)) {
      case 0: {
        const bool is_full = full();
        CHECK_WITH(news_.try_send(i) == (is_full ? status::full : status::ok), seed_);
        if (!is_full) put(i);
        break;
      }
      case 1:
      case 2:
        if (!send_[s].waits) begin_send(s, i);
        break;
      case 3:
      case 4:
        if (!r.waits && r.is_in) begin_receive(r);
        break;
      case 5:
        if (!r.waits && r.is_in) receive_at_once(r);
        break;
      case 6:
        if (r.waits) break;
        if (r.is_in && chance_.one_in(2)) {
          news_.unsubscribe(r.r);
          r.is_in = false;
        } else {
          news_.subscribe(r.r);
          r.is_in = true;
          r.at = sent_.size();
        }
        refill();
        break;
      default:
        if (chance_.one_in(2)) {
          if (send_[s].waits) destroy(send_[s]);
        } else if (r.waits) {
          destroy(r);
        }
    }
  }

  void begin_send(size_t s, int value) {
    actor& a = send_[s];
    a.value = value;
    begin(a);
    if (full()) {
      waiting_.push_back(s);
    } else {
      put(value);
      end(a, status::ok);
    }
    a.s.spawn(sends(news_, a));
    scheduler::run_until_idle();
  }

  void begin_receive(actor& r) {
    begin(r);
    if (r.at != sent_.size()) fetch(r);
    refill();
    r.s.spawn(receives(news_, r));
    scheduler::run_until_idle();
  }

  void receive_at_once(actor& r) {
    const bool is_empty = r.at == sent_.size();
    CHECK_WITH(news_.try_receive(r.r) == (is_empty ? status::empty : status::ok), seed_);
    if (is_empty) return;
    fetch(r);
    CHECK_WITH(r.r.value() == r.expected_value && r.r.lost() == r.expected_lost, seed_);
    refill();
  }

  void destroy(actor& a) {
    a.s.destroy_all();
    a.waits = false;
    std::erase_if(waiting_, [&](size_t i) { return &send_[i] == &a; });
  }

  void arrive() {
    l_.mailbox().deliver();
    scheduler::run_until_idle();
    for (actor& a : read_) check(a, true);
    for (actor& a : send_) check(a, false);
  }

  void check(actor& a, bool is_reader) {
    if (!a.waits) return;
    CHECK_WITH(a.has_ended == a.is_due, seed_);
    if (!a.is_due) return;
    a.waits = false;
    CHECK_WITH(a.how == a.expected, seed_);
    if (!is_reader || a.how != status::ok) return;
    CHECK_WITH(a.r.value() == a.expected_value && a.r.lost() == a.expected_lost, seed_);
  }

  static void begin(actor& a) {
    a.waits = true;
    a.has_ended = a.is_due = false;
  }
  static void end(actor& a, status how) {
    if (!a.waits || a.is_due) return;
    a.is_due = true;
    a.expected = how;
  }

  bool full() const {
    for (const actor& r : read_) {
      if (HoldsSender && r.is_in && sent_.size() - r.at >= slots) return true;
    }
    return false;
  }
  void put(int value) {
    sent_.push_back(value);
    for (actor& r : read_) {
      if (r.waits && !r.is_due) fetch(r);
    }
  }
  void fetch(actor& r) {
    const size_t behind = sent_.size() - r.at;
    r.expected_lost = behind > slots ? behind - slots : 0;
    r.at += r.expected_lost;
    r.expected_value = sent_[r.at++];
    end(r, status::ok);
  }
  void refill() {
    while (!waiting_.empty() && !full()) {
      actor& a = send_[waiting_.front()];
      waiting_.pop_front();
      put(a.value);
      end(a, status::ok);
    }
  }

  static task<> sends(Broadcast& to, actor& me) {
    me.how = co_await to.send(me.value);
    me.has_ended = true;
  }
  static task<> receives(Broadcast& from, actor& me) {
    me.how = co_await from.receive(me.r);
    me.has_ended = true;
  }

  uint32_t seed_;
  test::random chance_;
  async::loop l_;
  Broadcast news_;
  actor read_[readers], send_[senders];
  std::vector<int> sent_;
  std::deque<size_t> waiting_;
};

}  // namespace

TEST_CASE("random sends, receives, subscriptions and destructions of several actors, against a model") {
  for (uint32_t seed = 1; seed != 300; ++seed) {
    world<lossy, false>(seed).run();
    world<lossless, true>(seed).run();
  }
}
