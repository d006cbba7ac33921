// SPDX-License-Identifier: MIT
// error g++ clang++: it must be trivially copyable
// lines: 24
#include <baton/kernel/service.hpp>

// A request that cannot be copied byte by byte.

using namespace baton::kernel;

struct place {
  word offset;
};
struct content {
  word value;
};
struct read_at : operation<1, place, content> {};
struct name {
  name() = default;
#if FAILS
  name(const name& other) : first(other.first) {}
#endif
  char first = 0;
};
struct set_name : operation<2, name, content> {};

ipc_result ask(content& c) {
  return service<set_name>::call<set_name>(0x100, name(), c);
}
