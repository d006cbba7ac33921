// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <baton/test/check.hpp>
#include <memory>
#include <string>
#include <vector>

// Whole traces: each coroutine's waits, the coroutine that makes it ready, and the order of runs.

using namespace baton;
using async::task;

namespace {

/// Records the transitions of coroutines by the names that they give themselves. A call chain has
/// one name, for all of its coroutines.
class story {
 public:
  story() {
    told() = this;
    sim::clock::get().trace = &on;
  }
  story(const story&) = delete;
  ~story() { sim::clock::get().trace = nullptr; }

  template <typename T>
  void name(const T& object, const char* text) {
    names_.push_back({reinterpret_cast<uintptr_t>(&object), sizeof object, text});
  }
  void say(const std::string& line) { text_ += text_.empty() ? line : ", " + line; }
  std::string read() {
    std::string s = text_;
    text_.clear();
    return s;
  }

  /// For co_await: gives the call chain its name.
  struct naming : async::spi::promise_awaiter {
    naming(story& of, const char* t) : s(of), text(t) {}
    story& s;
    const char* text;
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    bool await_suspend(std::coroutine_handle<Promise> h) {
      s.name(*static_cast<waiter*>(h.promise().chain), text);
      return false;
    }
    void await_resume() const noexcept {}
  };
  naming i_am(const char* text) { return {*this, text}; }

 private:
  struct named {
    uintptr_t object;
    size_t bytes;
    const char* text;
  };

  static story*& told() {
    static story* s;
    return s;
  }

  static void on(transition what, const job* who, const void* on_what) {
    static const char* const words[] = {" ready", " runs", " waits", " done"};
    const story& s = *told();
    const char* other = s.find(on_what);
    const char* name = s.find(who);
    if (name) told()->say(name + std::string(words[static_cast<int>(what)]) + (other ? std::string(" ") + other : ""));
  }

  const char* find(const void* p) const {
    for (const named& n : names_) {
      if (reinterpret_cast<uintptr_t>(p) - n.object < n.bytes) return n.text;
    }
    return nullptr;
  }

  std::vector<named> names_;
  std::string text_;
};

}  // namespace

TEST_CASE("trace of a rendezvous: the receiver goes to the tail, the sender goes on") {
  story s;
  channel<int> c;
  async::scope all;
  all.spawn([](story& to, channel<int>& from) -> task<> {
    co_await to.i_am("receiver");
    int value = 0;
    static_cast<void>(co_await from.receive(value));
    to.say("got " + std::to_string(value));
    static_cast<void>(co_await from.receive(value));
    to.say("got " + std::to_string(value));
  }(s, c));
  all.spawn([](story& on, channel<int>& to) -> task<> {
    co_await on.i_am("sender");
    const int one = 1, two = 2;
    static_cast<void>(co_await to.send(one));
    on.say("sent");
    static_cast<void>(co_await to.send(two));
    on.say("sent");
  }(s, c));
  scheduler::run();
  CHECK_EQ(
      s.read(),
      "receiver waits, receiver ready, sent, sender waits, receiver runs, got 1, sender ready, got 2, receiver done, "
      "sender runs, sent, sender done");
}

TEST_CASE("trace of a call: client and server take each other's place, past who is ready") {
  story s;
  endpoint<int, int> desk;
  async::scope all;
  all.spawn([](story& to, endpoint<int, int>& at) -> task<> {
    co_await to.i_am("server");
    endpoint<int, int>::served_type held;
    for (int i = 0; i < 2; ++i) {
      static_cast<void>(co_await at.receive(held));
      to.say("serves " + std::to_string(held.request()));
      static_cast<void>(at.reply(held, held.request() * 2));
    }
  }(s, desk));
  all.spawn([](story& to, endpoint<int, int>& at) -> task<> {
    co_await to.i_am("client");
    for (int i = 1; i <= 2; ++i) {
      async::result<int> r = co_await async::call(at, i);
      to.say("has " + std::to_string(r.value_or(0)));
    }
  }(s, desk));
  all.spawn([](story& to) -> task<> {
    co_await to.i_am("other");
    to.say("turns");
    co_return;
  }(s));
  scheduler::run();
  CHECK_EQ(s.read(),
           "server waits, client waits, server ready, server runs, serves 1, client ready, server waits, client runs, "
           "has 2, client waits, server ready, server runs, serves 2, client ready, server done, client runs, has 4, "
           "client done, turns, other done");
}

TEST_CASE("trace of a nested await, a join and a stop: the awaited runs at once, the joiner from the tail") {
  story s;
  async::mutex never_free;
  CHECK(never_free.try_lock());
  s.name(never_free, "mutex");
  async::scope all;
  all.spawn([](story& to, async::mutex& m) -> task<> {
    co_await to.i_am("parent");
    async::scope children;
    to.name(children, "children");
    children.spawn([](story& t, async::mutex& n) -> task<> {
      co_await t.i_am("child");
      auto nested = [](story& x, async::mutex& y) -> task<status> {
        x.say("nested");
        co_return co_await y.lock();
      };
      const status how = co_await nested(t, n);
      t.say(how == status::cancelled ? "cancelled" : "?");
    }(to, m));
    to.say("spawned");
    co_await children.join();
    to.say("joined");
  }(s, never_free));
  scheduler::run();
  all.stop();
  s.say("stopped");
  scheduler::run();
  CHECK_EQ(
      s.read(),
      "spawned, parent waits children, nested, child waits mutex, child ready, stopped, child runs, cancelled, child "
      "done, parent ready, parent runs, joined, parent done");
}

TEST_CASE("trace of deadlines under a loop: in the order of their due times, first come first served among equals") {
  story s;
  auto l = std::make_unique<async::loop>();
  async::manual_event gate;
  s.name(gate, "gate");
  auto body = [](story& to, async::manual_event& at, const char* who, uint32_t ms) -> task<> {
    co_await to.i_am(who);
    const status how = co_await async::within(milliseconds(ms), at.wait());
    to.say(std::string(how == status::timed_out ? "late " : "in time ") +
           std::to_string(port::now() / milliseconds(1)));
  };
  l->spawn(body(s, gate, "a", 9));
  l->spawn(body(s, gate, "b", 5));
  l->spawn(body(s, gate, "c", 5));
  l->spawn(body(s, gate, "d", 30));
  l->spawn([](story& to, async::manual_event& at) -> task<> {
    co_await async::sleep_for(milliseconds(20));
    to.say("opens");
    at.set();
  }(s, gate));
  l->run();
  CHECK_EQ(
      s.read(),
      "a waits gate, b waits gate, c waits gate, d waits gate, b ready, c ready, b runs, late 5, b done, c runs, late "
      "5, c done, a ready, a runs, late 9, a done, opens, d ready, d runs, in time 20, d done");
}

TEST_CASE("trace of a mutex and of a select: one at a time from the tail; a case hands its place to who selects") {
  story s;
  async::mutex m;
  baton::signal bell;
  async::scope all;
  auto body = [](story& to, async::mutex& at, const char* who) -> task<> {
    co_await to.i_am(who);
    auto lock = co_await async::hold(at);
    to.say(std::string(who) + " in");
    co_await async::yield();
    to.say(std::string(who) + " out");
  };
  all.spawn(body(s, m, "a"));
  all.spawn(body(s, m, "b"));
  all.spawn([](story& to, async::mutex& at, baton::signal& b) -> task<> {
    co_await to.i_am("chooser");
    const async::selection which = co_await async::select(b.wait(), at.lock());
    to.say("chose " + std::to_string(which.index));
  }(s, m, bell));
  scheduler::run();
  CHECK_EQ(s.read(),
           "a in, b waits, chooser waits, a runs, a out, b ready, a done, b runs, b in, b runs, b out, b done, chooser "
           "ready, "
           "chooser runs, chose 1, chooser done");
  CHECK(m.is_locked());
}
