// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/generator.hpp>
#include <baton/async/task_set.hpp>
#include <baton/async/when.hpp>
#include <baton/test/check.hpp>
#include <exception>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

// All tests of exceptions. The other files do not need exceptions, and are also compiled without
// them.

using namespace baton;
using async::result;
using async::task;

namespace {

task<> wait_for(baton::signal& bell, int& heard, int& cancelled) {
  const status s = co_await bell.wait();
  ++(s == status::cancelled ? cancelled : heard);
}

task<> throws() {
  co_await async::yield();
  throw std::runtime_error("first");
}

task<int> throws_after(bool yields) {
  if (yields) co_await async::yield();
  throw std::runtime_error("no");
  co_return 1;
}

async::generator<std::string> throws_in_the_middle() {
  co_yield std::string("one");
  throw std::runtime_error("two");
}

/// Throws when it is stopped, as a body that calls value() does.
task<int> insists(channel<int>& c) {
  co_return (co_await async::receive(c)).value();
}

task<int> soon(duration length) {
  co_await async::sleep_for(length);
  co_return 3;
}

task<int> fails(duration length) {
  co_await async::sleep_for(length);
  throw std::runtime_error("broken");
}

void run(task<> t) {
  async::scope s;
  s.spawn(static_cast<task<>&&>(t));
  scheduler::run();
  CHECK_EQ(s.running(), 0u);
  s.destroy_all();
}

task<int> counts(int& cancelled) {
  const status s = co_await async::sleep_for(seconds(1));
  if (s == status::cancelled) ++cancelled;
  co_return 7;
}

/// True if a requirement ends a process that runs `act`.
template <typename Act>
bool is_refused(Act act) {
  const pid_t child = fork();
  if (child == 0) {
    std::set_terminate([] { _exit(42); });  // a broken requirement ends here
    act();
    _exit(0);
  }
  int how = 0;
  waitpid(child, &how, 0);
  return WIFEXITED(how) && WEXITSTATUS(how) == 42;
}

}  // namespace

TEST_CASE("an exception that leaves the owner of a scope or a set destroys its coroutines, and arrives") {
  baton::signal bell;
  int heard = 0, cancelled = 0;
  std::string seen;
  async::scope all;
  all.spawn([](baton::signal& b, int& h, int& c, std::string& text) -> task<> {
    try {
      async::scope several;
      async::task_set<> set;
      several.spawn(wait_for(b, h, c));
      CHECK_EQ(set.spawn(wait_for(b, h, c)), status::ok);
      co_await async::yield();
      several.spawn(wait_for(b, h, c));  // has not begun
      throw std::runtime_error("between");
    } catch (const std::runtime_error& e) {
      text += e.what();
    }
    co_await async::yield();
  }(bell, heard, cancelled, seen));
  scheduler::run();
  CHECK_EQ(seen, "between");
  CHECK_EQ(all.running(), 0u);
  try {
    async::scope of_a_function;
    of_a_function.spawn(wait_for(bell, heard, cancelled));
    scheduler::run_until_idle();
    throw std::runtime_error("again");
  } catch (const std::runtime_error& e) {
    seen += e.what();
  }
  CHECK_EQ(seen, "betweenagain");
  bell.set();
  scheduler::run_until_idle();
  CHECK_EQ(heard + cancelled, 0);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("value() of a result without one throws how it ended") {
  const result<int> none = status::timed_out;
  status why = status::ok;
  try {
    static_cast<void>(none.value());
  } catch (const async::bad_result& e) {
    why = e.why;
  }
  CHECK_EQ(why, status::timed_out);
}

TEST_CASE("a task that is late and throws when it is stopped is timed out; one that throws in time throws") {
  channel<int> c;
  std::string seen;
  run([](channel<int>& from, std::string& text) -> task<> {
    result<int> late = co_await async::within(milliseconds(1), insists(from));
    text += late.status() == status::timed_out ? "late " : "? ";
    try {
      static_cast<void>(co_await async::within(milliseconds(5), fails(milliseconds(1))));
    } catch (const std::runtime_error& e) {
      text += e.what();
    }
  }(c, seen));
  CHECK_EQ(seen, "late broken");
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE(
    "when_any gives the first although the others throw when they are stopped, and throws if the first has thrown") {
  channel<int> c;
  std::string seen;
  run([](channel<int>& from, std::string& text) -> task<> {
    auto first = co_await async::when_any(insists(from), soon(milliseconds(2)));
    text += first.index() == 1 ? "second " : "? ";
    try {
      static_cast<void>(co_await async::when_any(soon(milliseconds(5)), fails(milliseconds(1))));
      text += "?";
    } catch (const std::runtime_error& e) {
      text += e.what();
    }
  }(c, seen));
  CHECK_EQ(seen, "second broken");
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("a lock that is held is given back by what is thrown through it") {
  async::mutex m;
  run([](async::mutex& at) -> task<> {
    try {
      auto lock = co_await async::hold(at);
      CHECK(at.is_locked());
      throw std::runtime_error("out");
    } catch (const std::runtime_error&) {
      CHECK(!at.is_locked());
    }
  }(m));
}

TEST_CASE("a coroutine that throws stops its siblings, and the join throws it") {
  baton::signal bell;
  int heard = 0, cancelled = 0, caught = 0;
  auto parent = [&]() -> task<> {
    async::scope children;
    for (int i = 0; i < 2; ++i) children.spawn(wait_for(bell, heard, cancelled));
    children.spawn(throws());
    children.spawn(throws());
    try {
      co_await children.join();
    } catch (const std::runtime_error& e) {
      CHECK_EQ(std::string(e.what()), "first");
      ++caught;
    }
    CHECK_EQ(children.running(), 0u);
  };
  async::scope s;
  s.spawn(parent());
  scheduler::run();
  CHECK_EQ(caught, 1);
  CHECK_EQ(cancelled, 2);
  CHECK_EQ(s.running(), 0u);
}

TEST_CASE("what a task throws comes to who awaits it, at once or after it has waited") {
  int caught = 0;
  auto body = [&]() -> task<> {
    for (bool yields : {false, true}) {
      try {
        static_cast<void>(co_await throws_after(yields));
      } catch (const std::runtime_error& e) {
        CHECK_EQ(std::string(e.what()), "no");
        ++caught;
      }
    }
  };
  run(body());
  CHECK_EQ(caught, 2);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("when_all stops the others when one throws") {
  int cancelled = 0;
  auto body = [&]() -> task<> {
    try {
      static_cast<void>(co_await async::when_all(counts(cancelled), fails(milliseconds(5))));
      CHECK(false);
    } catch (const std::runtime_error& e) {
      CHECK_EQ(std::string(e.what()), "broken");
    }
    CHECK_EQ(port::now(), milliseconds(5));
  };
  run(body());
  CHECK_EQ(cancelled, 1);
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("what a generator throws comes to its reader, after the values before it") {
  std::string seen;
  try {
    for (std::string& s : throws_in_the_middle()) seen += s;
    CHECK(false);
  } catch (const std::runtime_error& e) {
    seen += e.what();
  }
  CHECK_EQ(seen, "onetwo");
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("a join throws what its task threw, once, and the scope goes on") {
  std::string seen;
  run([](std::string& text) -> task<> {
    async::scope s;
    auto early = async::spawn(s, fails(milliseconds(1)));
    auto sibling = async::spawn(s, soon(milliseconds(5)));
    auto late = async::spawn(s, fails(milliseconds(9)));
    co_await async::sleep_for(milliseconds(2));
    CHECK(early.is_done());
    CHECK(!s.is_stopping());
    for (auto* h : {&early, &late}) {
      try {
        static_cast<void>(co_await h->join());
      } catch (const std::runtime_error& e) {
        text += e.what();
      }
      const result<int> again = co_await async::within(milliseconds(1), h->join());
      CHECK_EQ(again.status(), status::closed);
    }
    const result<int> three = co_await sibling.join();
    CHECK_EQ(three.value_or(0), 3);
    CHECK(!s.has_failed());
    co_await s.join();
  }(seen));
  CHECK_EQ(seen, "brokenbroken");
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("a join in time, and one until a stop, throw what the task threw, too") {
  int caught = 0;
  run([](int& n) -> task<> {
    async::scope s;
    async::stop_source source;
    auto first = async::spawn(s, fails(milliseconds(1)));
    auto second = async::spawn(s, fails(milliseconds(1)));
    try {
      static_cast<void>(co_await async::within(milliseconds(5), first.join()));
    } catch (const std::runtime_error&) {
      ++n;
    }
    try {
      static_cast<void>(co_await async::until_stop(source.token(), second.join()));
    } catch (const std::runtime_error&) {
      ++n;
    }
    co_await s.join();
  }(caught));
  CHECK_EQ(caught, 2);
}

TEST_CASE("what a task throws that nobody can join is its scope's, however early its handle went") {
  for (bool before_the_end : {true, false}) {
    std::string seen;
    run([](bool early, std::string& text) -> task<> {
      const tick begun = port::now();
      async::scope s;
      auto h = async::spawn(s, fails(milliseconds(2)));
      auto sibling = async::spawn(s, soon(seconds(1)));
      co_await async::sleep_for(milliseconds(early ? 1 : 3));
      h = async::join_handle<int>();
      CHECK_EQ(s.is_stopping(), !early);
      try {
        co_await s.join();
      } catch (const std::runtime_error& e) {
        text = e.what();
      }
      CHECK_EQ(port::now() - begun, milliseconds(early ? 2 : 3).ticks());
      CHECK(sibling.is_done());
    }(before_the_end, seen));
    CHECK_EQ(seen, "broken");
  }
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("what a task threw is dropped with its handle if its scope was stopped") {
  for (bool stops_first : {false, true}) {
    async::scope s;
    auto h = async::spawn(s, throws_after(true));
    if (stops_first) s.stop();
    scheduler::run();
    s.stop();
    CHECK(h.is_done());
    h = async::join_handle<int>();
    CHECK(!s.has_failed());
  }
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("what a task threw is not dropped with its handle when the scope is gone, nor with a set") {
  CHECK(is_refused([] {
    async::join_handle<int> h;
    {
      async::scope s;
      h = async::spawn(s, throws_after(true));
      scheduler::run();
    }
  }));
  CHECK(is_refused([] {
    async::task_set<int> set;
    static_cast<void>(set.spawn(throws_after(true)));
    scheduler::run();
  }));
  CHECK(!is_refused([] {
    async::task_set<int> set;
    static_cast<void>(set.spawn(throws_after(true)));
    scheduler::run();
    set.stop();
  }));
}

TEST_CASE("a set throws what each task threw in its turn, and its other tasks go on") {
  std::string seen;
  run([](std::string& text) -> task<> {
    async::task_set<int> set;
    CHECK_EQ(set.spawn(fails(milliseconds(2))), status::ok);
    CHECK_EQ(set.spawn(soon(milliseconds(1))), status::ok);
    CHECK_EQ(set.spawn(soon(milliseconds(3))), status::ok);
    CHECK_EQ(set.spawn(fails(milliseconds(4))), status::ok);
    while (!set.is_empty()) {
      try {
        const result<int> r = co_await set.next();
        text += std::to_string(r.value_or(0)) + ' ';
      } catch (const std::runtime_error& e) {
        text += e.what() + std::string(" ");
      }
    }
  }(seen));
  CHECK_EQ(seen, "3 broken 3 broken ");
  CHECK_EQ(async::frames().frames, 0u);
}

TEST_CASE("when_all and when_any of a range throw as those of single tasks; when_any of none has no first") {
  std::string seen;
  int cancelled = 0;
  run([](std::string& text, int& stopped) -> task<> {
    std::vector<task<int>> tasks;
    tasks.push_back(counts(stopped));
    tasks.push_back(fails(milliseconds(1)));
    try {
      static_cast<void>(co_await async::when_all(std::move(tasks)));
    } catch (const std::runtime_error& e) {
      text += e.what();
    }
    std::vector<task<int>> others;
    others.push_back(counts(stopped));
    others.push_back(fails(milliseconds(1)));
    try {
      static_cast<void>(co_await async::when_any(std::move(others)));
    } catch (const std::runtime_error& e) {
      text += e.what();
    }
    try {
      static_cast<void>(co_await async::when_any(std::vector<task<int>>()));
    } catch (const async::bad_result& e) {
      text += e.why == status::empty ? " empty" : " ?";
    }
  }(seen, cancelled));
  CHECK_EQ(seen, "brokenbroken empty");
  CHECK_EQ(cancelled, 2);
  CHECK_EQ(async::frames().frames, 0u);
}
