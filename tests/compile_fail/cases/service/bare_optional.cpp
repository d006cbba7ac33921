// SPDX-License-Identifier: MIT
// error: a bare reference to an optional service may outlive it
// lines: 24
#include <baton/service.hpp>

struct cache {
  int look(int key) { return key; }
};

int use(baton::service::optional<cache> c) {
#if FAILS
  cache& bare = *c;
  return bare.look(3);
#else
  auto held = c.hold();
  cache& bare = *held;
  return bare.look(3);
#endif
}
