// SPDX-License-Identifier: MIT
// The mark of a name that goes away, in each place that deprecated.hpp shows.
// error: is deprecated
// error g++ clang++: use fresh
// lines: 40
#include <baton/core/deprecated.hpp>

struct fresh {};
struct BATON_DEPRECATED("use fresh") stale {};
using older BATON_DEPRECATED("use fresh") = fresh;
BATON_DEPRECATED("use fresh") inline int oldest() {
  return 0;
}

#if FAILS
int uses(const stale*, const older*) {
  return oldest();
}
#else
int uses(const fresh*);
int uses(const fresh*) {
  return 0;
}
#endif
