// SPDX-License-Identifier: MIT
// error g++ clang++: the server has no function .handled handle\(Operation
// lines: 24
#include <baton/kernel/service.hpp>

// A handler that takes the reply's type for the request's.

using namespace baton::kernel;

struct place {
  word offset;
};
struct content {
  word value;
};
struct read_at : operation<1, place, content> {};

struct server {
#if FAILS
  handled handle(read_at, const received&, const content&, content&) { return handled::reply(); }
#else
  handled handle(read_at, const received&, const place&, content&) { return handled::reply(); }
#endif
};

ipc_result serve(server& s) {
  return service<read_at>::serve(s);
}
