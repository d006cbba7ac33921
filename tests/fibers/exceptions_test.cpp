// SPDX-License-Identifier: MIT
#include "rig.hpp"

#include <exception>
#include <execinfo.h>
#include <memory>
#include <unwind.h>

namespace {

/// One task handles its exception while the other throws, handles and releases its own: the
/// exception caught last is not the first one released.
struct handling {
  int rethrown = 0;
  bool is_done = false;
};

void handle(void* argument) {
  handling& h = *static_cast<handling*>(argument);
  const int mine = static_cast<int>(kernel::my_tid());
  try {
    throw mine;
  } catch (int) {
    kernel::yield();
    try {
      kernel::yield();
      throw;
    } catch (int caught) {
      kernel::yield();
      h.rethrown = caught == mine ? mine : -1;
    }
  }
  CHECK(std::current_exception() == nullptr);
  h.is_done = true;
}

struct yields_when_destroyed {
  ~yields_when_destroyed() { kernel::yield(); }
};

void unwind_slowly(void*) {
  try {
    const yields_when_destroyed slow;
    throw 1;
  } catch (int one) {
    CHECK_EQ(one, 1);
  }
}

void look_for_exceptions(void*) {
  for (int turn = 0; turn < 3; ++turn) {
    CHECK(!std::uncaught_exception());
    CHECK(std::current_exception() == nullptr);
    kernel::yield();
  }
}

__attribute__((noinline)) void fail_in_the_peer(kernel::tid peer) {
  if (kernel::send(peer, "x", 1, nullptr, 0).why() == kernel::error::peer_gone) throw kernel::error::peer_gone;
}

void throw_after_a_call(void* argument) {
  bool is_caught = false;
  try {
    fail_in_the_peer(*static_cast<kernel::tid*>(argument));
  } catch (kernel::error e) {
    is_caught = e == kernel::error::peer_gone;
  }
  CHECK(is_caught);
}

void receive_and_end(void*) {
  char c;
  kernel::receive(&c, 1);
}

struct trail {
  int frames = 0;
  int limit = 1000;
  _Unwind_Reason_Code ended = _URC_NO_REASON;
};

_Unwind_Reason_Code count(_Unwind_Context* at, void* argument) {
  trail& t = *static_cast<trail*>(argument);
  if (_Unwind_GetIP(at) == 0) return _URC_NO_REASON;
  return ++t.frames == t.limit ? _URC_END_OF_STACK : _URC_NO_REASON;
}

__attribute__((noinline)) void walk(trail& t, int depth) {
  if (depth == 0) {
    kernel::yield();
    t.ended = _Unwind_Backtrace(count, &t);
  } else {
    walk(t, depth - 1);
    __asm__ volatile("" ::: "memory");  // prevents a tail call
  }
}

void walk_back(void* argument) {
  walk(*static_cast<trail*>(argument), 5);
  void* addresses[64];
  const int frames = backtrace(addresses, 64);
  CHECK(frames >= 1);
  CHECK(frames < 16);
}

void only_yield(void*) {
  for (int turn = 0; turn < 4; ++turn) kernel::yield();
}

}  // namespace

TEST_CASE("tasks that switch while they handle an exception keep their own") {
  static rig r;
  handling first, second;
  r.begin(1, handle, "first", &first);
  r.begin(1, handle, "second", &second);
  r.system.run();
  CHECK(first.rethrown > 0);
  CHECK(second.rethrown > 0);
  CHECK(first.is_done);
  CHECK(second.is_done);
}

TEST_CASE("a task that is unwinding is nothing that another task sees") {
  static rig r;
  r.begin(1, unwind_slowly, "unwinds");
  r.begin(1, look_for_exceptions, "looks");
  r.system.run();
}

TEST_CASE("an exception is thrown and caught in a task across a kernel call") {
  static rig r;
  static kernel::tid server;
  server = r.begin(1, receive_and_end, "server").id;
  r.begin(1, throw_after_a_call, "client", &server);
  r.system.run();
}

TEST_CASE("unwinding a task ends at its first frame") {
  static rig r;
  trail t;
  r.begin(1, walk_back, "walks", &t);
  r.begin(1, only_yield, "other");
  r.system.run();
  CHECK_EQ(t.ended, _URC_END_OF_STACK);
  CHECK(t.frames >= 6);
  CHECK(t.frames < 16);
}
