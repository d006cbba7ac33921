// SPDX-License-Identifier: MIT
// error g++ clang++: the service does not have this operation
// lines: 24
#include <baton/kernel/service.hpp>

// A call of an operation that the service does not have.

using namespace baton::kernel;

struct place {
  word offset;
};
struct content {
  word value;
};
struct read_at : operation<1, place, content> {};
struct write_at : operation<2, content, place> {};
#if FAILS
using disk = service<read_at>;
#else
using disk = service<read_at, write_at>;
#endif

ipc_result ask(place& p) {
  return disk::call<write_at>(0x100, content{1}, p);
}
