// SPDX-License-Identifier: MIT
// error: print takes texts, characters, integers
#include <baton/core.hpp>

struct sink {
  void put(char) {}
};

void use() {
  sink s;
#if FAILS
  baton::print(s, 21.5);
#else
  baton::print(s, baton::decimal(215).fixed(1));
#endif
}
