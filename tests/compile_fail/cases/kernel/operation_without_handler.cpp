// SPDX-License-Identifier: MIT
// error g++ clang++: the server has no function .handled handle\(Operation
// lines: 24
#include <baton/kernel/service.hpp>

// A server without a function for one of its operations.

using namespace baton::kernel;

struct place {
  word offset;
};
struct content {
  word value;
};
struct read_at : operation<1, place, content> {};
struct write_at : operation<2, content, place> {};

struct server {
  handled handle(read_at, const received&, const place&, content&) { return handled::reply(); }
#if !FAILS
  handled handle(write_at, const received&, const content&, place&) { return handled::reply(); }
#endif
};

ipc_result serve(server& s) {
  return service<read_at, write_at>::serve(s);
}
