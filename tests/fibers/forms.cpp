// SPDX-License-Identifier: MIT
//
// Tests the inlined switch in code of every form: values that live across it are there afterwards.
// The file is compiled with many options; the program prints a verdict.
#include <baton/kernel.hpp>
#include <stdio.h>
#include <string.h>

namespace kernel = baton::kernel;

namespace {

kernel::system<8> tasks;
kernel::stack<65536> stacks[8];
int mistakes = 0;
int ended = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  ++mistakes;
  printf("lost: %s\n", what);
}

/// Returns a value of which the compiler knows nothing.
template <typename T>
__attribute__((noinline)) T opaque(T value) {
  __asm__ volatile("" : "+m"(value)::"memory");
  return value;
}

/// Keeps more integers alive than there are registers.
void integers(long seed) {
  long v[24];
  for (int i = 0; i < 24; ++i) v[i] = opaque(seed + i);
  const long a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
  kernel::yield();
  check(a == seed && b == seed + 1 && c == seed + 2 && d == seed + 3 && e == seed + 4 && f == seed + 5 &&
            g == seed + 6 && h == seed + 7,
        "integers");
}

void floats(double seed) {
  const double a = opaque(seed), b = opaque(seed * 2), c = opaque(seed * 3);
  const long double l = opaque(static_cast<long double>(seed)) * 3;
  const long double m = l * 5;
  kernel::yield();
  check(a + b == c && l + m == static_cast<long double>(seed) * 18, "floating point");
}

using lanes = int __attribute__((vector_size(64)));

void vectors(int seed) {
  lanes v = {};
  for (int i = 0; i < 16; ++i) v[i] = opaque(seed * i);
  lanes more[12];
  for (int i = 0; i < 12; ++i) more[i] = v * (i + 1);
  kernel::yield();
  int sum = 0;
  for (int i = 0; i < 12; ++i) sum += more[i][15] + (v > 0)[15] * (seed * 15 * (i + 1));
  check(sum == 0, "vectors");
}

/// Has a frame that is aligned and grows, which needs a base register besides the frame pointer.
__attribute__((noinline)) void growing(size_t bytes, char seed) {
  alignas(64) char aligned[64];
  char* grown = static_cast<char*>(__builtin_alloca(bytes));
  memset(aligned, seed, sizeof aligned);
  memset(grown, seed + 1, bytes);
  __asm__ volatile("" ::"r"(aligned), "r"(grown) : "memory");
  kernel::yield();
  kernel::sleep(baton::duration());
  const bool is_aligned = reinterpret_cast<uintptr_t>(opaque(&aligned[0])) % 64 == 0;
  check(is_aligned && aligned[63] == seed && grown[0] == seed + 1 && grown[bytes - 1] == seed + 1, "a growing frame");
}

/// Makes the same switch at many places, each with another frame.
template <int N>
struct places {
  static void visit(int seed) {
    volatile char frame[N * 8];
    frame[N] = static_cast<char>(seed);
    kernel::yield();
    check(frame[N] == static_cast<char>(seed), "a frame");
    places<N - 1>::visit(seed + 1);
  }
};
template <>
struct places<0> {
  static void visit(int) { kernel::yield(); }
};

void live(void* argument) {
  const int seed = static_cast<int>(reinterpret_cast<intptr_t>(argument));
  for (int turn = 0; turn < 50; ++turn) {
    integers(seed * 1000L + turn);
    floats(seed + turn);
    vectors(seed + turn);
    growing(16 + static_cast<size_t>(turn), static_cast<char>(seed));
    places<16>::visit(seed + turn);
  }
  ++ended;
}

/// Replies to messages of every length, with lengths that the compiler knows and lengths that it
/// does not know.
void serve(void*) {
  char buffer[300];
  kernel::received m = kernel::receive(buffer, sizeof buffer);
  for (;;) m = kernel::reply_receive(m.client, buffer, opaque(m.length()), buffer, sizeof buffer);
}

template <size_t Bytes>
void ask(kernel::tid server) {
  unsigned char message[Bytes], reply[Bytes + 1];
  for (size_t i = 0; i < Bytes; ++i) message[i] = static_cast<unsigned char>(i * 7 + Bytes);
  reply[Bytes] = 77;
  kernel::send(server, message, Bytes, reply, Bytes);
  check(memcmp(message, reply, Bytes) == 0 && reply[Bytes] == 77, "a message of known length");
}

void ask_all(void* argument) {
  const kernel::tid server = *static_cast<kernel::tid*>(argument);
  for (size_t bytes = 0; bytes <= 300; ++bytes) {
    unsigned char message[301], reply[301];
    for (size_t i = 0; i < bytes; ++i) message[i] = static_cast<unsigned char>(i * 5 + bytes);
    memset(reply, 77, sizeof reply);
    kernel::send(server, message, opaque(bytes), reply, sizeof reply);
    check(memcmp(message, reply, bytes) == 0 && (bytes == 301 || reply[bytes] == 77), "a message");
  }
  ask<1>(server);
  ask<4>(server);
  ask<8>(server);
  ask<64>(server);
  ask<256>(server);
  ++ended;
}

}  // namespace

int main() {
  for (intptr_t i = 0; i < 5; ++i)
    tasks.create(kernel::describe(1, live, stacks[i], "live", reinterpret_cast<void*>(i + 1)));
  kernel::tid server = tasks.create(kernel::describe(1, serve, stacks[5], "server")).id;
  tasks.create(kernel::describe(1, ask_all, stacks[6], "client", &server));
  tasks.run();
  printf("verdict: %s\n", mistakes == 0 && ended == 6 ? "good" : "bad");
  return mistakes == 0 && ended == 6 ? 0 : 1;
}
