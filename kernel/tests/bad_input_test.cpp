// SPDX-License-Identifier: MIT
#include <program.hpp>

// Every request of a task gets an answer, and the kernel and the other tasks go on. Boards with an
// MPU test wild addresses (tests/kernel_faults).

using namespace baton;
using kernel::call_number;
using kernel::error;
using kernel::word;
using test::program;

namespace {

constexpr test::test_time soon = test::ms(1);
constexpr word huge_lengths[] = {kernel::longest_message + 1, static_cast<word>(-1), static_cast<word>(-2),
                                 static_cast<word>(1) << (sizeof(word) * 8 - 1)};

kernel::task_description good_task(kernel::stack<8192>& s) {
  return kernel::describe(1, [](void*) {}, s, "good");
}

/// The running task's call, word by word.
kernel::ipc_result make_call(call_number call, word first, word second, word in = 0) {
  kernel::answer a = {};
  switch (call) {
    case call_number::create:
      a = kernel_switch::call<call_number::create>(first, second, 0, in, 0, kernel::unlimited);
      break;
    default:
      a = kernel_switch::call<call_number::inspect>(first, second, 0, in, 0, kernel::unlimited);
      break;
  }
  return kernel::ipc_result(a.first);
}

/// Runs `what` in a task, beside another task that must be served afterwards as if nothing had
/// happened.
void run_beside_others(const std::function<void(program&, kernel::tid server)>& what) {
  program p;
  uint8_t served = 0;
  const kernel::tid server = p.task("server", 1, [&] {
    for (uint8_t i = 0; i < 2; ++i) {
      const kernel::received m = kernel::receive(nullptr, 0);
      kernel::reply(m.client, "ok", 2);
    }
  });
  p.task("bad", 2, [&] {
    what(p, server);
    served += kernel::send(server, "m", 1, nullptr, 0).length() == 2;
  });
  p.task("other", 1, [&] { served += kernel::send(server, "m", 1, nullptr, 0).length() == 2; });
  p.run();
  CHECK_EQ(served, 2);
}

}  // namespace

TEST_CASE("lengths that are none are bad_buffer in every call that takes one") {
  run_beside_others([](program&, kernel::tid server) {
    char buffer[4] = {};
    for (word length : huge_lengths) {
      CHECK_WITH(kernel::send(server, buffer, length, buffer, 4).why() == error::bad_buffer, length);
      CHECK_WITH(kernel::send(server, buffer, 4, buffer, length).why() == error::bad_buffer, length);
      CHECK_WITH(kernel::receive(buffer, length, soon).result.why() == error::bad_buffer, length);
      CHECK_WITH(
          kernel::reply_receive(kernel::no_client, nullptr, 0, buffer, length, soon).result.why() == error::bad_buffer,
          length);
    }
  });
}

TEST_CASE("nothing where something is meant is bad_buffer, and nothing where nothing is meant is good") {
  run_beside_others([](program& p, kernel::tid server) {
    char buffer[4] = {};
    CHECK(kernel::send(server, nullptr, 1, buffer, 4).why() == error::bad_buffer);
    CHECK(kernel::send(server, buffer, 4, nullptr, 1).why() == error::bad_buffer);
    CHECK(kernel::receive(nullptr, 4, soon).result.why() == error::bad_buffer);
    CHECK(kernel::reply_receive(kernel::no_client, nullptr, 0, nullptr, 4, soon).result.why() == error::bad_buffer);
    CHECK(kernel::receive(nullptr, 0, soon).result.why() == error::timed_out);
    CHECK(make_call(call_number::create, 0, 0).why() == error::bad_buffer);
    CHECK(make_call(call_number::inspect, 0, 0, 0).why() == error::bad_buffer);
    static kernel::stack<8192> s;
    kernel::task_description d = good_task(s);
    d.entry = nullptr;
    CHECK(kernel::create(d).result.why() == error::bad_buffer);
    d.entry = good_task(s).entry;
    d.priority = p.system.priority_levels;
    CHECK(kernel::create(d).result.why() == error::bad_priority);
    d.priority = 255;
    CHECK(kernel::create(d).result.why() == error::bad_priority);
  });
}

TEST_CASE("a bad reply leaves the client waiting for a good one") {
  program p;
  const kernel::tid server = p.task("server", 2, [&] {
    char m[4];
    const kernel::received r = kernel::receive(m, 4);
    for (word length : huge_lengths) {
      CHECK_WITH(kernel::reply(r.client, m, length).why() == error::bad_buffer, length);
      CHECK_WITH(kernel::reply_receive(r.client, m, length, m, 4).result.why() == error::bad_buffer, length);
      CHECK_WITH(kernel::reply_receive(r.client, m, 1, m, length).result.why() == error::bad_buffer, length);
    }
    CHECK(kernel::reply(r.client, nullptr, 1).why() == error::bad_buffer);
    CHECK(kernel::reply_receive(r.client, nullptr, 1, m, 4).result.why() == error::bad_buffer);
    CHECK(kernel::reply_receive(r.client, m, 1, nullptr, 4).result.why() == error::bad_buffer);
    CHECK_EQ(kernel::reply(r.client, "good", 4).length(), 4u);
  });
  char reply[5] = "";
  p.task("client", 1, [&] { CHECK(kernel::send(server, "m", 1, reply, 4)); });
  p.run();
  CHECK_EQ(std::string(reply), "good");
}

TEST_CASE("descriptions and reports that are not aligned are bad_buffer") {
  run_beside_others([](program&, kernel::tid) {
    static kernel::stack<8192> s;
    alignas(16) char raw[sizeof(kernel::task_description) + sizeof(kernel::task_report) + 16];
    const kernel::task_description d = good_task(s);
    for (word odd = 1; odd < alignof(kernel::task_description); ++odd) {
      memcpy(raw + odd, &d, sizeof d);
      CHECK_WITH(make_call(call_number::create, 0, reinterpret_cast<word>(raw + odd)).why() == error::bad_buffer, odd);
    }
    for (word odd = 1; odd < alignof(kernel::task_report); ++odd) {
      CHECK_WITH(make_call(call_number::inspect, 0, 0, reinterpret_cast<word>(raw + odd)).why() == error::bad_buffer,
                 odd);
    }
    memcpy(raw, &d, sizeof d);
    CHECK(make_call(call_number::create, 0, reinterpret_cast<word>(raw)));
  });
}

TEST_CASE("messages may begin at any address") {
  program p;
  char to[64], from[64], back[64];
  for (uint8_t i = 0; i < 64; ++i) from[i] = static_cast<char>(i);
  const kernel::tid server = p.task("server", 2, [&] {
    for (uint8_t i = 0; i < 64; ++i) {
      const kernel::received m = kernel::receive(to + i % 8, 40);
      CHECK_WITH(memcmp(to + i % 8, from + i / 8, m.length()) == 0, i);
      kernel::reply(m.client, to + i % 8, m.length());
    }
  });
  p.task("client", 1, [&] {
    for (uint8_t i = 0; i < 64; ++i) {
      memset(back, 0, sizeof back);
      const word bytes = i % 41;
      CHECK_WITH(kernel::send(server, from + i / 8, bytes, back + 3, 50).length() == bytes, i);
      CHECK_WITH(memcmp(back + 3, from + i / 8, bytes) == 0, i);
      CHECK_WITH(back[2] == 0 && back[3 + bytes] == 0, i);
    }
  });
  p.run();
}

TEST_CASE("numbers that are no call's, no event's, no slot's") {
  run_beside_others([](program& p, kernel::tid) {
    for (word number : {word{kernel::calls}, word{200}, word{0x100}, static_cast<word>(-1)}) {
      kernel::request r = {};
      kernel::tcb* const self = p.system.running;
      CHECK_WITH(kernel::enter(p.system, number, r) == self, number);
      CHECK_WITH(kernel::ipc_result(r.first).why() == error::bad_call, number);
    }
    for (word event : {word{8}, word{32}, word{255}, word{0x100}, static_cast<word>(-1)}) {
      const kernel::answer a = kernel_switch::call<call_number::wait_interrupt_event>(event, 0, 0, 0, 0, soon);
      CHECK_WITH(kernel::ipc_result(a.first).why() == error::bad_event, event);
    }
    kernel::task_report report;
    for (word slot : {word{16}, word{255}, word{0x100}, static_cast<word>(-1)}) {
      CHECK_WITH(make_call(call_number::inspect, slot, 0, reinterpret_cast<word>(&report)).why() == error::bad_task,
                 slot);
    }
    CHECK(kernel::wait_notification(0, soon).result.why() == error::timed_out);
  });
}
