// SPDX-License-Identifier: MIT
#include <program.hpp>

// A server that ends a call by an error code.

using namespace baton;
using kernel::error;
using kernel::word;
using test::message;
using test::ms;
using test::program;

namespace {

constexpr word codes[] = {1, 2, 255, 256, kernel::largest_error_code};

}  // namespace

TEST_CASE("the client of a server that replies with an error has its code, and its buffer is untouched") {
  for (word code : codes) {
    program p;
    const kernel::tid server = p.task("server", 2, [&] {
      const message m = p.receive();
      CHECK(kernel::reply_error(m.client, code));
      p.mark("goes on");
    });
    p.task("client", 1, [&] {
      char reply[4] = "abc";
      const kernel::ipc_result o = kernel::send(server, "hi", 2, reply, sizeof reply);
      CHECK_WITH(!o.is_ok(), code);
      CHECK_WITH(o.why() == error::server_error, code);
      CHECK_WITH(o.error_code() == code, code);
      CHECK_WITH(o.length() == 0, code);
      CHECK_EQ(std::string(reply), "abc");
    });
    p.run();
    CHECK_LOG(p, "server receives", "server took 'hi' from client", "server goes on", "server ends", "client ends");
  }
}

TEST_CASE("no other result has an error code") {
  for (uint8_t e = 0; e < static_cast<uint8_t>(error::server_error); ++e) {
    CHECK_WITH(kernel::ipc_result(static_cast<error>(e)).error_code() == 0, e);
    CHECK_WITH(kernel::ipc_result(static_cast<error>(e)).why() == static_cast<error>(e), e);
  }
  CHECK_EQ(kernel::ipc_result(kernel::longest_message).error_code(), 0u);
  CHECK_EQ(std::string(kernel::error_name(kernel::ipc_result::of_error_code(7).why())), "server_error");
}

TEST_CASE("a code beyond the range is refused, so that a server gives no result of the kernel") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] {
    const message m = p.receive();
    for (word code : {word{0}, kernel::largest_error_code + 1, static_cast<word>(-1), static_cast<word>(-0x100),
                      static_cast<word>(-0x101)}) {
      CHECK_WITH(kernel::reply_error(m.client, code).why() == error::no_right, code);
    }
    p.reply(m.client, "ok");
  });
  p.task("client", 1, [&] { p.send(server, "hi"); });
  p.run();
  CHECK_LOG(p, "server receives", "client sends server", "server took 'hi' from client", "server replies to client",
            "server ends", "client got 'ok'", "client ends");
}

TEST_CASE("who may not reply may not reply with an error: once, and to a message that it has received") {
  program p;
  kernel::tid client = kernel::no_task;
  const kernel::tid server = p.task("server", 1, [&] {
    CHECK(kernel::reply_error(kernel::no_client, 1).why() == error::no_right);
    CHECK(kernel::reply_error({p.system.find(client)->token}, 1).why() == error::no_right);  // not received
    const message m = p.receive();
    CHECK(kernel::reply_error(m.client, 1));
    CHECK(kernel::reply_error(m.client, 1).why() == error::no_right);
    CHECK(kernel::reply(m.client, "late", 4).why() == error::no_right);
    const message late = p.receive();
    p.sleep(ms(5));
    CHECK(kernel::reply_error(late.client, 1).why() == error::no_right);
  });
  client = p.task("client", 2, [&] {
    p.send(server, "1");
    p.send(server, "2", ms(3));
  });
  p.task("stranger", 3, [&] {
    p.sleep(ms(2));
    CHECK(kernel::reply_error({p.system.find(client)->token}, 1).why() == error::no_right);
  });
  p.run();
  CHECK_LOG(p, "stranger sleeps", "client sends server", "server receives", "server took '1' from client",
            "client send: server_error", "client sends server", "server receives", "server took '2' from client",
            "server sleeps", "at 2 ms", "stranger wakes", "stranger ends", "at 3 ms", "client send: timed_out",
            "client ends", "at 5 ms", "server wakes", "server ends");
}

TEST_CASE("an error ends the client's timeout, and the priority that it has lent") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    const message m = p.receive();
    CHECK_EQ(p.system.running->priority, 3);
    CHECK(kernel::reply_error(m.client, 9));
    CHECK_EQ(p.system.running->priority, 1);
  });
  p.task("client", 3, [&] {
    p.send(server, "hi", ms(1));
    p.sleep(ms(3));
  });
  p.task("other", 2, [&] { p.mark("runs"); });
  p.run();
  CHECK_LOG(p, "client sends server", "server receives", "server took 'hi' from client", "client send: server_error",
            "client sleeps", "other runs", "other ends", "server ends", "at 3 ms", "client wakes", "client ends");
}
