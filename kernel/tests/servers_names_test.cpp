// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <baton/kernel/servers/name_server.hpp>

using namespace baton;
using kernel::error;
using test::ms;

namespace {

/// A program whose first task is a name server.
template <uint8_t Names, uint8_t Waiters = 4>
struct named_program : test::program {
  named_program() {
    server = system.create(name_server.describe(7, stack)).id;
    CHECK_EQ(server, kernel::first_task);
  }

  kernel::name_server<Names, Waiters> name_server;
  kernel::stack<65536> stack;
  kernel::tid server;
  kernel::names names;
};

}  // namespace

TEST_CASE("a name that was registered is found, one that was not is not") {
  named_program<4> p;
  kernel::tid registered = kernel::no_task;
  p.task("owner", 2, [&] {
    registered = kernel::my_tid();
    CHECK(p.names.register_as("owner"));
    CHECK(p.names.register_as("a second name"));
    CHECK(p.names.register_as("owner"));  // a second time changes nothing
    kernel::sleep(ms(10));
  });
  p.task("client", 1, [&] {
    kernel::found f = p.names.who_is("owner", 0_ms);
    CHECK(f);
    CHECK_EQ(f.id, registered);
    CHECK_EQ(p.names.who_is("a second name").id, registered);
    f = p.names.who_is("owne", 0_ms);
    CHECK_EQ(f.result.why(), error::would_wait);
    CHECK_EQ(f.id, kernel::no_task);
    CHECK_EQ(p.names.who_is("owner2", 0_ms).result.why(), error::would_wait);
    p.mark("done");
  });
  p.run();
  CHECK_LOG(p, "client done", "client ends", "at 10 ms", "owner ends");
}

TEST_CASE("who asks for a name before it is registered waits, and all who wait are answered in order") {
  named_program<4> p;
  auto client = [&] {
    const kernel::found f = p.names.who_is("late");
    CHECK(f);
    p.mark("found " + p.name_of(f.id));
  };
  p.task("first", 2, client);
  p.task("second", 2, client);
  p.task("other", 3, [&] {
    CHECK_EQ(p.names.who_is("never", ms(5)).result.why(), error::timed_out);
    p.mark("gave up");
  });
  p.task("late", 1, [&] {
    p.sleep(ms(3));
    CHECK(p.names.register_as("late"));
    p.mark("is registered");
    p.sleep(ms(3));
  });
  p.run();
  CHECK_LOG(p, "late sleeps", "at 3 ms", "late wakes", "first found late", "first ends", "second found late",
            "second ends", "late is registered", "late sleeps", "at 5 ms", "other gave up", "other ends", "at 6 ms",
            "late wakes", "late ends");
}

TEST_CASE("a name is forgotten when its task ends, also where another task has got the slot") {
  named_program<4> p;
  p.task("parent", 1, [&] {
    const kernel::tid mortal = p.task("mortal", 2, [&] { CHECK(p.names.register_as("mortal")); });
    CHECK_EQ(p.names.who_is("mortal", 0_ms).result.why(), error::would_wait);
    const kernel::tid heir = p.task("heir", 2, [&] { kernel::receive(nullptr, 0); });
    CHECK_EQ(heir & 0xff, mortal & 0xff);  // the same slot
    CHECK_EQ(p.names.who_is("mortal", 0_ms).result.why(), error::would_wait);
    CHECK(p.names.register_as("mortal"));
    CHECK_EQ(p.names.who_is("mortal").id, kernel::my_tid());
  });
  p.run();
}

TEST_CASE("a name that a live task has is refused to others, and forgotten on wish") {
  named_program<4> p;
  p.task("owner", 2, [&] {
    CHECK(p.names.register_as("shop"));
    p.sleep(ms(2));
    CHECK(p.names.forget("shop"));
    CHECK_EQ(p.names.forget("shop").why(), error::no_right);
  });
  p.task("thief", 1, [&] {
    CHECK_EQ(p.names.register_as("shop").why(), error::busy);
    CHECK_EQ(p.names.forget("shop").why(), error::no_right);
    CHECK_EQ(p.name_of(p.names.who_is("shop").id), "owner");
    p.sleep(ms(5));
    CHECK_EQ(p.names.who_is("shop", 0_ms).result.why(), error::would_wait);
    CHECK(p.names.register_as("shop"));
  });
  p.run();
}

TEST_CASE("a full table is an error, and the slots of tasks that have ended are given away") {
  named_program<2> p;
  p.task("mortal", 2, [&] { CHECK(p.names.register_as("one")); });
  p.task("main", 1, [&] {
    CHECK(p.names.register_as("two"));
    CHECK(p.names.register_as("three"));
    CHECK_EQ(p.names.register_as("four").why(), error::table_full);
    CHECK(p.names.forget("two"));
    CHECK(p.names.register_as("four"));
    CHECK(p.names.who_is("three", 0_ms));
    CHECK(p.names.who_is("four", 0_ms));
  });
  p.run();
}

TEST_CASE("too many who wait is an error, and who has given up or ended does not count") {
  named_program<2, 2> p;
  p.task("hasty", 4, [&] { CHECK_EQ(p.names.who_is("x", ms(1)).result.why(), error::timed_out); });
  const kernel::tid victim = p.task("victim", 4, [&] { p.names.who_is("x"); });
  p.task("third", 3, [&] {
    CHECK_EQ(p.names.who_is("x").result.why(), error::table_full);
    kernel::sleep(ms(2));
    kernel::kill(victim);
    CHECK_EQ(p.names.who_is("x", ms(1)).result.why(), error::timed_out);
    // The client asks anew: its former wait is over, and counts no more.
    CHECK_EQ(p.names.who_is("x", ms(1)).result.why(), error::timed_out);
    CHECK_EQ(p.name_of(p.names.who_is("y", ms(5)).id), "fourth");
  });
  p.task("fourth", 2, [&] {
    kernel::sleep(ms(4));
    CHECK(p.names.register_as("y"));
    kernel::sleep(ms(1));
  });
  p.run();
}

TEST_CASE("bad names and bad requests are refused, and the server goes on") {
  named_program<2> p;
  p.task("main", 1, [&] {
    CHECK_EQ(p.names.register_as(nullptr).why(), error::bad_buffer);
    CHECK_EQ(p.names.register_as("").why(), error::bad_buffer);
    CHECK_EQ(p.names.register_as("sixteen letters!").why(), error::bad_buffer);
    CHECK(p.names.register_as("fifteen letters"));
    CHECK_EQ(p.names.who_is("fifteen letters, and more", 0_ms).result.why(), error::bad_buffer);
    kernel::name_request q;
    memset(&q, 'x', sizeof q);
    kernel::name_reply a = {error::none, 0};
    q.what = kernel::name_call::register_as;
    CHECK(kernel::name_protocol::call(p.server, q, a));
    CHECK_EQ(a.why, error::bad_buffer);
    q = kernel::name_request{static_cast<kernel::name_call>(77), "a"};
    CHECK(kernel::name_protocol::call(p.server, q, a));
    CHECK_EQ(a.why, error::bad_call);
    CHECK(kernel::send(p.server, "short", 5, &a, sizeof a));
    CHECK_EQ(a.why, error::bad_call);
    char huge[300] = "";
    CHECK(kernel::send(p.server, huge, sizeof huge, nullptr, 0));
    CHECK(p.names.who_is("fifteen letters", 0_ms));
    CHECK_EQ(kernel::names(kernel::no_task).who_is("x").result.why(), error::bad_task);
    p.mark("done");
  });
  p.run();
  CHECK_LOG(p, "main done", "main ends");
}
