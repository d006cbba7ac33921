// SPDX-License-Identifier: MIT
#include <program.hpp>

#include <baton/kernel/service.hpp>

// A server with several typed operations.

using namespace baton;
using kernel::error;
using kernel::handled;
using kernel::received;
using kernel::reply_token;
using kernel::word;
using test::ms;
using test::program;

namespace {

struct place {
  uint32_t offset;
};
struct piece {
  uint32_t offset;
  uint8_t bytes[200];
};
struct count {
  uint16_t bytes;
};
struct nothing {};
struct content {
  uint64_t first, second;
};

struct read_at : kernel::operation<1, place, content> {};
struct write_at : kernel::operation<7, piece, count> {};
struct wait_for_write : kernel::operation<0xffff, nothing, count> {};
struct unknown : kernel::operation<2, place, content> {};

using disk = kernel::service<read_at, write_at, wait_for_write>;
using other_disk = kernel::service<unknown>;

constexpr word no_such_place = 3;

/// Remembers what was written, and where the buffers were.
struct disk_server {
  handled handle(read_at, const received&, const place& q, content& a) {
    if (q.offset > 100) return handled::error(no_such_place);
    CHECK_EQ(a.second, 0u);
    a.first = q.offset;
    if (q.offset == 42) a.second = 42;
    return handled::reply();
  }
  handled handle(write_at, const received&, const piece& q, count& a) {
    a.bytes = q.bytes[199];
    if (waiter != kernel::no_client) {
      const count told = {a.bytes};
      CHECK_EQ(kernel::reply(waiter, &told, sizeof told).length(), sizeof told);
    }
    waiter = kernel::no_client;
    return handled::reply();
  }
  handled handle(wait_for_write, const received& m, const nothing&, count&) {
    waiter = m.client;
    return handled::later();
  }
  reply_token waiter = kernel::no_client;
};

/// Runs a client beside a server; both must come to their ends.
void run_client(const std::function<void(kernel::tid server)>& client) {
  program p;
  disk_server served;
  bool has_ended = false;
  const kernel::tid server = p.task("server", 2, [&] {
    const kernel::ipc_result o = disk::serve(served, ms(100));
    CHECK(o.why() == error::timed_out);
  });
  p.task("client", 1, [&] {
    client(server);
    has_ended = true;
  });
  p.run();
  CHECK(has_ended);
}

}  // namespace

TEST_CASE("each operation has its handler, its request and its reply") {
  run_client([](kernel::tid server) {
    content got = {};
    CHECK_EQ(disk::call<read_at>(server, place{42}, got).length(), sizeof got);
    CHECK_EQ(got.first, 42u);
    CHECK_EQ(got.second, 42u);
    CHECK_EQ(kernel::call<read_at>(server, place{7}, got).length(), sizeof got);
    CHECK_EQ(got.first, 7u);
    CHECK_EQ(got.second, 0u);  // nothing of an earlier reply
    piece q = {};
    q.bytes[199] = 9;
    count written = {};
    CHECK(disk::call<write_at>(server, q, written));
    CHECK_EQ(written.bytes, 9);
  });
}

TEST_CASE("a handler ends a call with an error code, and the server goes on") {
  run_client([](kernel::tid server) {
    content got = {1, 2};
    CHECK_EQ(disk::call<read_at>(server, place{101}, got).error_code(), no_such_place);
    CHECK_EQ(got.first, 1u);
    CHECK(disk::call<read_at>(server, place{1}, got));
  });
}

TEST_CASE("a handler's code that is none ends the call all the same") {
  for (word code : {word{0}, kernel::largest_error_code + 1, static_cast<word>(-1)}) {
    CHECK_WITH(handled::error(code).code() == kernel::malformed_reply, code);
    CHECK_WITH(!handled::error(code).is_reply() && !handled::error(code).is_later(), code);
  }
  CHECK_EQ(handled::error(kernel::largest_error_code).code(), kernel::largest_error_code);
  CHECK_EQ(handled::error(1).code(), 1u);
}

TEST_CASE("a request may be kept with its number, so that only the kernel copies it") {
  run_client([](kernel::tid server) {
    kernel::request_message<write_at> q = {};
    count written = {};
    for (uint8_t i = 0; i < 3; ++i) {
      q.body.bytes[199] = i;
      CHECK(disk::call<write_at>(server, q, written));
      CHECK_EQ(written.bytes, i);
    }
  });
}

TEST_CASE("a message of another protocol reaches no handler") {
  run_client([](kernel::tid server) {
    content got = {};
    CHECK_EQ(other_disk::call<unknown>(server, place{1}, got).error_code(), kernel::unknown_operation);
    const word raw[] = {read_at::number, 0, 0, 0};
    for (word bytes = 0; bytes <= sizeof raw; ++bytes) {
      const kernel::ipc_result o = kernel::send(server, raw, bytes, &got, sizeof got);
      if (bytes == sizeof(kernel::request_message<read_at>)) {
        CHECK(o);
      } else {
        CHECK_WITH(o.error_code() == kernel::malformed_request, bytes);
      }
    }
    static char large[4096];
    large[0] = 1;
    CHECK_EQ(kernel::send(server, large, sizeof large, &got, sizeof got).error_code(), kernel::malformed_request);
  });
}

TEST_CASE("a reply that is not whole is an error of the call") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] {
    for (word bytes : {word{0}, word{1}, word{sizeof(content) + 1}}) {
      static char all[64];
      kernel::reply(p.receive().client, all, bytes);
    }
  });
  uint8_t errors = 0;
  p.task("client", 1, [&] {
    content got;
    for (uint8_t i = 0; i < 3; ++i)
      errors += disk::call<read_at>(server, place{1}, got).error_code() == kernel::malformed_reply;
    CHECK(disk::call<read_at>(server, place{1}, got).why() == error::bad_task);
  });
  p.run();
  CHECK_EQ(errors, 3);
}

TEST_CASE("a handler may keep the token and reply later") {
  program p;
  disk_server served;
  std::string order;
  const kernel::tid server = p.task("server", 3, [&] { disk::serve(served, ms(9)); });
  p.task("waiter", 2, [&] {
    count written = {};
    CHECK(disk::call<wait_for_write>(server, nothing{}, written));
    CHECK_EQ(written.bytes, 5);
    order += "waiter ";
  });
  p.task("writer", 1, [&] {
    order += "writer ";
    piece q = {};
    q.bytes[199] = 5;
    count written = {};
    CHECK(disk::call<write_at>(server, q, written));
    order += "done";
  });
  p.run();
  CHECK_EQ(order, "writer waiter done");
}

TEST_CASE("a client whose timeout comes meanwhile does not end the server's loop") {
  struct slow_server : disk_server {
    using disk_server::handle;
    handled handle(read_at, const received&, const place& q, content& a) {
      a.first = q.offset;
      if (q.offset == 1) kernel::sleep(ms(5));
      return handled::reply();
    }
  };
  program p;
  slow_server served;
  bool has_ended = false;
  const kernel::tid server =
      p.task("server", 2, [&] { CHECK(kernel::service<read_at>::serve(served, ms(50)).why() == error::timed_out); });
  p.task("client", 1, [&] {
    content got = {};
    CHECK(disk::call<read_at>(server, place{1}, got, ms(1)).why() == error::timed_out);
    CHECK(disk::call<read_at>(server, place{2}, got));
    CHECK_EQ(got.first, 2u);
    has_ended = true;
  });
  p.run();
  CHECK(has_ended);
}
