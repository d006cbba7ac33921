// SPDX-License-Identifier: MIT
// error g++ clang++: each operation of a service has a number of its own
// lines: 24
#include <baton/kernel/service.hpp>

// Two operations with the same number.

using namespace baton::kernel;

struct place {
  word offset;
};
struct content {
  word value;
};
struct read_at : operation<1, place, content> {};
struct write_at : operation<1 + !FAILS, content, place> {};

ipc_result ask(place& p) {
  return service<read_at, write_at>::call<write_at>(0x100, content{1}, p);
}
