// SPDX-License-Identifier: MIT
#include <program.hpp>

// Leases: memory that a client lends for the time of a call.

using namespace baton;
using kernel::error;
using kernel::lease;
using kernel::lend;
using kernel::lend_to_read;
using kernel::lend_to_write;
using kernel::word;
using test::message;
using test::ms;
using test::program;

namespace {

/// Runs a client that lends memory to a server, whose body is `serve`; returns how its call ended.
template <word Count>
kernel::ipc_result lend_to(const lease (&leases)[Count], const std::function<void(kernel::reply_token)>& serve,
                           tick timeout = kernel::unlimited) {
  program p;
  kernel::ipc_result end = error::none;
  bool has_served = false;
  const kernel::tid server = p.task("server", 1, [&] {
    const kernel::received m = kernel::receive(nullptr, 0);
    CHECK(m);
    serve(m.client);
    kernel::reply(m.client, nullptr, 0);
    has_served = true;
  });
  p.task("client", 2,
         [&] { end = kernel::send_lending(server, nullptr, 0, nullptr, 0, leases, spi::limit_of_ticks(timeout)); });
  p.run();
  CHECK(has_served);
  return end;
}

error copy_error(kernel::reply_token client, word piece, word offset, word bytes) {
  char buffer[64];
  return kernel::copy_from(client, piece, offset, buffer, bytes).why();
}

}  // namespace

TEST_CASE("a server reads and writes pieces of its client's memory, at any offset, and the message comes too") {
  for (kernel::priority urgency : {kernel::priority{1}, kernel::priority{3}}) {  // sender first, and receiver first
    program p;
    char question[] = "0123456789", answer[] = "..........", both[] = "abcdef";
    const kernel::tid server = p.task("server", urgency, [&] {
      const message m = p.receive();
      char text[16] = "";
      CHECK_EQ(kernel::copy_from(m.client, 0, 0, text, 10).length(), 10u);
      CHECK_EQ(std::string(text), "0123456789");
      CHECK_EQ(kernel::copy_from(m.client, 0, 7, text, 3).length(), 3u);
      CHECK_EQ(std::string(text), "7893456789");
      CHECK_EQ(kernel::copy_to(m.client, 1, 9, "z", 1).length(), 1u);
      CHECK_EQ(kernel::copy_to(m.client, 1, 0, "xy", 2).length(), 2u);
      CHECK_EQ(kernel::copy_from(m.client, 2, 2, text, 2).length(), 2u);
      CHECK_EQ(kernel::copy_to(m.client, 2, 4, text, 2).length(), 2u);
      p.reply(m.client, "done");
    });
    p.task("client", 2, [&] {
      char reply[8] = "";
      CHECK_EQ(kernel::send_lending(server, "hi", 2, reply, 8,
                                    {lend_to_read(question, 10), lend_to_write(answer, 10), lend(both, 6)})
                   .length(),
               4u);
      CHECK_EQ(std::string(reply), "done");
      p.mark("is done");
    });
    p.run();
    CHECK_EQ(std::string(answer), "xy.......z");
    CHECK_EQ(std::string(both), "abcdcd");
    CHECK(p.log().find("client is done") != std::string::npos);
  }
}

TEST_CASE("a copy beyond a piece is refused, and so is one whose end wraps") {
  char lent[16] = {};
  lend_to({lend_to_read(lent, 16)}, [](kernel::reply_token client) {
    CHECK(copy_error(client, 0, 0, 16) == error::none);
    CHECK(copy_error(client, 0, 16, 0) == error::none);
    CHECK(copy_error(client, 0, 0, 17) == error::bad_lease);
    CHECK(copy_error(client, 0, 16, 1) == error::bad_lease);
    CHECK(copy_error(client, 0, 17, 0) == error::bad_lease);
    CHECK(copy_error(client, 0, static_cast<word>(-1), 2) == error::bad_lease);
    CHECK(copy_error(client, 0, static_cast<word>(-8), 16) == error::bad_lease);
  });
}

TEST_CASE("a piece that is not in the list is refused, whatever its number") {
  char lent[16] = {};
  lend_to({lend_to_read(lent, 16), lend_to_read(lent, 8)}, [](kernel::reply_token client) {
    CHECK(copy_error(client, 1, 0, 8) == error::none);
    for (word piece : {word{2}, word{255}, static_cast<word>(-1), static_cast<word>(-1) / sizeof(lease) + 1}) {
      CHECK_WITH(copy_error(client, piece, 0, 1) == error::bad_lease, piece);
    }
  });
}

TEST_CASE("what is lent to read is not written, and the other way round") {
  char read_only[] = "abc", write_only[] = "abc";
  lend_to({lend_to_read(read_only, 3), lend_to_write(write_only, 3)}, [](kernel::reply_token client) {
    CHECK(kernel::copy_to(client, 0, 0, "x", 1).why() == error::bad_lease);
    CHECK(copy_error(client, 1, 0, 1) == error::bad_lease);
    CHECK(kernel::copy_to(client, 1, 0, "x", 1));
  });
  CHECK_EQ(std::string(read_only), "abc");
  CHECK_EQ(std::string(write_only), "xbc");
}

TEST_CASE("a bad buffer of the server is its own mistake, and null that is lent is the client's") {
  char lent[16] = {};
  lend_to({lend(lent, 16), lend(nullptr, 16)}, [](kernel::reply_token client) {
    CHECK(kernel::copy_from(client, 0, 0, nullptr, 1).why() == error::bad_buffer);
    CHECK(kernel::copy_to(client, 0, 0, nullptr, 1).why() == error::bad_buffer);
    CHECK(copy_error(client, 0, 0, kernel::longest_message + 1) == error::bad_buffer);
    for (word offset : {word{0}, word{8}}) {
      CHECK_WITH(copy_error(client, 1, offset, 1) == error::bad_lease, offset);
      CHECK_WITH(kernel::copy_to(client, 1, offset, "x", 1).why() == error::bad_lease, offset);
    }
  });
}

TEST_CASE("a lease ends with the reply, and lends nothing to the client's next call") {
  program p;
  const kernel::tid server = p.task("server", 1, [&] {
    const message m = p.receive();
    CHECK(copy_error(m.client, 0, 0, 1) == error::none);
    p.reply(m.client, "ok");
    CHECK(copy_error(m.client, 0, 0, 1) == error::no_right);
    const message plain = p.receive();
    CHECK(copy_error(plain.client, 0, 0, 1) == error::no_right);
    CHECK(copy_error(m.client, 0, 0, 1) == error::no_right);
    p.reply(plain.client, "ok");
    p.mark("is done");
  });
  p.task("client", 2, [&] {
    char lent[4] = {};
    kernel::send_lending(server, "1", 1, nullptr, 0, {lend(lent, 4)});
    p.send(server, "2");
  });
  p.run();
  CHECK(p.log().find("server is done") != std::string::npos);
}

TEST_CASE("a lease ends with the client's timeout, and with the client") {
  for (bool is_killed : {false, true}) {
    program p;
    kernel::tid client = kernel::no_task;
    const kernel::tid server = p.task("server", 3, [&] {
      const message m = p.receive();
      CHECK(copy_error(m.client, 0, 0, 1) == error::none);
      if (is_killed) p.kill(client);
      p.sleep(ms(2));
      CHECK(copy_error(m.client, 0, 0, 1) == error::no_right);
      CHECK(p.reply(m.client, "late").why() == error::no_right);
      p.mark("is done");
    });
    client = p.task("client", 2, [&] {
      char lent[4] = {};
      CHECK(kernel::send_lending(server, "1", 1, nullptr, 0, {lend(lent, 4)}, ms(1)).why() == error::timed_out);
    });
    p.run();
    CHECK(p.log().find("server is done") != std::string::npos);
  }
}

TEST_CASE("a client whose timeout runs lends, and a reply disarms the timeout") {
  char lent[] = "abc";
  const kernel::ipc_result end = lend_to(
      {lend(lent, 3)}, [](kernel::reply_token client) { CHECK(copy_error(client, 0, 0, 3) == error::none); }, ms(5));
  CHECK(end);
}

TEST_CASE("nobody but the server that has received the message has what is lent") {
  program p;
  kernel::tid client = kernel::no_task;
  const kernel::tid server = p.task("server", 1, [&] {
    const kernel::reply_token token = {p.system.find(client)->token};
    CHECK(copy_error(token, 0, 0, 1) == error::no_right);  // not received
    const message m = p.receive();
    CHECK_EQ(m.client.raw, token.raw);
    p.task("stranger", 3, [&] {
      CHECK(copy_error(token, 0, 0, 1) == error::no_right);
      CHECK(kernel::copy_to(token, 0, 0, "x", 1).why() == error::no_right);
      p.mark("is done");
    });
    p.reply(m.client, "ok");
  });
  client = p.task("client", 2, [&] {
    char lent[4] = {};
    CHECK(kernel::send_lending(server, "1", 1, nullptr, 0, {lend(lent, 4)}));
  });
  p.run();
  CHECK(p.log().find("stranger is done") != std::string::npos);
}

TEST_CASE("a call that lends is refused as a send is") {
  program p;
  bool is_done = false;
  p.task("client", 2, [&] {
    char lent[4] = {};
    const lease leases[] = {lend(lent, 4)};
    CHECK(kernel::send_lending(0x177, "1", 1, nullptr, 0, leases).why() == error::bad_task);
    CHECK(kernel::send_lending(kernel::my_tid(), "1", 1, nullptr, 0, leases).why() == error::deadlock);
    CHECK(kernel::send_lending(kernel::my_tid(), nullptr, 1, nullptr, 0, leases).why() == error::bad_buffer);
    CHECK(kernel::send_lending(kernel::my_tid(), nullptr, 0, nullptr, 1, leases).why() == error::bad_buffer);
    const auto call = kernel_switch::call<kernel::call_number::send_lending>;
    alignas(16) char list[sizeof(kernel::lease_list) + 1] = {};
    for (word odd = 0; odd < alignof(kernel::lease_list); ++odd) {
      const word at = odd ? reinterpret_cast<word>(list) + odd : 0;
      CHECK_WITH(kernel::ipc_result(call(at, 0, 0, 0, 0, kernel::unlimited).first).why() == error::bad_buffer, odd);
    }
    is_done = true;
  });
  p.run();
  CHECK(is_done);
}
