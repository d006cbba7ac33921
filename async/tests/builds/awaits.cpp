// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Ten million awaits in a row, and chains of them, take no stack, whatever the options of the
// compiler. There is no harness, so each build is this file with other options; the exit code is
// the verdict.

using namespace baton;
using async::task;

namespace {

constexpr long awaits = 10000000;
constexpr int depth = 1000;
constexpr uintptr_t most_stack =
    uintptr_t{256} * 1024;  // the transfers of one turn, if the compiler makes no tail call of them

uintptr_t lowest = UINTPTR_MAX, highest = 0;

/// Measures the stack by the address of a local of a call; locals of a coroutine are in its frame.
/// true: the stack has grown too far.
__attribute__((noinline)) bool has_grown() {
  const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  lowest = here < lowest ? here : lowest;
  highest = here > highest ? here : highest;
  return highest - lowest >= most_stack;
}

void look() {
  if (!has_grown()) return;
  puts("lost: the stack grows with the awaits");
  _Exit(1);
}

task<int> leaf() {
  look();
  co_return 1;
}

task<int> chain(int left) {
  look();
  if (left == 0) co_return 1;
  co_return 1 + co_await chain(left - 1);
}

/// A task that waits between two awaits, so that the loop has its turn.
task<int> turns() {
  co_await async::yield();
  look();
  co_return 1;
}

task<> all(long& sum) {
  for (long i = 0; i < awaits; ++i) sum += co_await leaf();
  for (int i = 0; i < 100; ++i) sum += co_await chain(depth);
  for (int i = 0; i < 100000; ++i) sum += co_await turns();
}

/// Ten million hand-overs between two call chains.
task<> sends(channel<int>& c) {
  for (int i = 0; i < awaits / 2; ++i) {
    look();
    static_cast<void>(co_await c.send(i));
  }
  c.close();
}
task<> receives(channel<int>& c, long& n) {
  int value = 0;
  while (co_await c.receive(value) == status::ok) {
    look();
    ++n;
  }
}

}  // namespace

int main() {
  long sum = 0, handed = 0;
  async::scope s;
  channel<int> c;
  s.spawn(all(sum));
  scheduler::run();
  s.spawn(sends(c));
  s.spawn(receives(c, handed));
  scheduler::run();
  const bool is_good = sum == awaits + 100L * (depth + 1) + 100000 && handed == awaits / 2 && s.running() == 0 &&
                       async::frames().frames == 0;
  printf("verdict: %s, %ld awaits, %ld values, %lu bytes of stack\n", is_good ? "good" : "bad", sum, handed,
         static_cast<unsigned long>(highest - lowest));
  return is_good ? 0 : 1;
}
