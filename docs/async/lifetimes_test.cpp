// SPDX-License-Identifier: MIT
//
// The programs that docs/lifetimes.md quotes: the right way for each mistake of mistakes.cpp, and
// the order of destruction.
#include <baton/async/loop.hpp>
#include <baton/test/check.hpp>
#include <string>
#include <vector>

using namespace baton;
using async::task;

namespace {

std::string said;

void say(const std::string& text) {
  said += text + ";";
}

void check_said(const std::string& expected) {
  CHECK_EQ(said, expected);
  said.clear();
  CHECK_EQ(async::frames().frames, 0u);
}

/// Says its name when it is destroyed.
struct named {
  explicit named(const char* n) : name(n) {}
  named(const named&) = delete;
  ~named() { say(std::string("~") + name); }
  const char* name;
};

// ---- Parameters ----

task<> print(std::string text) {  // by value: it moves into the frame
  co_await async::sleep_for(1_ms);
  say(text);
}

task<> print_borrowed(const std::string& text) {  // for a caller that awaits it at once
  co_await async::sleep_for(1_ms);
  say(text);
}

task<> caller() {
  co_await print_borrowed(std::string("a temporary"));  // the temporary lives until the end of this line
}

}  // namespace

TEST_CASE("a parameter by value lives in the frame; a reference is for who awaits at once") {
  async::loop program;
  program.spawn(print(std::string("a value")));
  program.spawn(caller());
  program.run();
  check_said("a value;a temporary;");
}

TEST_CASE("a lambda that is spawned captures nothing") {
  async::loop program;
  std::string text = "a parameter";
  program.spawn([](std::string t) -> task<> {  // a parameter instead of a capture
    co_await async::sleep_for(1_ms);
    say(t);
  }(text));
  program.run();
  check_said("a parameter;");
}

namespace {

// ---- Data that other coroutines change ----

task<> print_first(std::vector<std::string>& names) {
  co_await async::sleep_for(2_ms);
  say(names.front());  // looked up after the wait
}

task<> add(std::vector<std::string>& names) {
  co_await async::sleep_for(1_ms);
  for (int i = 0; i < 100; ++i) names.insert(names.begin(), "newcomer");
}

}  // namespace

TEST_CASE("what others may change is looked up again after a wait") {
  std::vector<std::string> names{"first"};
  async::loop program;
  program.spawn(print_first(names));
  program.spawn(add(names));
  program.run();
  check_said("newcomer;");
}

namespace {

// ---- Objects with coroutines ----

class counter {
 public:
  explicit counter(int& to) : n_(to) {}

  void start() { work_.spawn(count()); }

  task<> stop() {  // the owner awaits this before it destroys the counter
    work_.stop();
    co_await work_.join();
  }

 private:
  task<> count() {
    for (;;) {
      const status how = co_await async::sleep_for(1_ms);
      if (how != status::ok) co_return;
      ++n_;
    }
  }

  int& n_;
  async::scope work_;  // the last member
};

task<> use_a_counter(int& n) {
  counter c(n);
  c.start();
  co_await async::sleep_for(10_ms);
  co_await c.stop();
}

}  // namespace

TEST_CASE("an object joins its own coroutines before it goes") {
  int n = 0;
  async::loop program;
  program.spawn(use_a_counter(n));
  program.run();
  CHECK_EQ(n, 10);
  check_said("");
}

namespace {

// ---- The order of destruction ----

task<> child() {
  named local("child's local");
  co_await async::sleep_for(1_s);
}

task<> parent() {
  named before("declared before the scope");
  async::scope children;
  children.spawn(child());
  named after("declared after it");
  co_await children.join();
}

}  // namespace

TEST_CASE(
    "a frame that is destroyed in a wait: its locals from the last to the first, and so its children before what they "
    "use") {
  async::scope s;
  s.spawn(parent());
  scheduler::run_until_idle();
  s.destroy_all();
  check_said("~declared after it;~child's local;~declared before the scope;");
}

TEST_CASE("a stop destroys nothing: each coroutine goes on, and ends by itself") {
  async::loop program;
  program.spawn([](async::loop& all) -> task<> {
    all.spawn(parent());
    co_await async::sleep_for(1_ms);
    all.stop();
    say("stopped");
  }(program));
  program.run();
  check_said("stopped;~child's local;~declared after it;~declared before the scope;");
}

namespace {

task<> says_goodbye(channel<std::string, 4>& out) {
  co_await async::sleep_for(1_s);
  CHECK_EQ(co_await out.send("goodbye"), status::cancelled);  // the coroutine is stopped: its waits end at once
  CHECK_EQ(out.try_send("goodbye"), status::ok);              // an operation that does not wait still works
}

}  // namespace

TEST_CASE("what a stopped coroutine still awaits ends at once") {
  channel<std::string, 4> out;
  async::scope s;
  s.spawn(says_goodbye(out));
  scheduler::run_until_idle();
  s.stop();
  scheduler::run_until_idle();
  std::string last;
  CHECK_EQ(out.try_receive(last), status::ok);
  CHECK_EQ(last, "goodbye");
  check_said("");
}

TEST_CASE("a primitive that goes first ends the waits on it with closed") {
  async::scope s;
  {
    channel<int> c;
    s.spawn([](channel<int>& from) -> task<> {
      int value = 0;
      const status how = co_await from.receive(value);
      say(how == status::closed ? "closed" : "?");
    }(c));
    scheduler::run_until_idle();
  }
  scheduler::run_until_idle();
  check_said("closed;");
}
