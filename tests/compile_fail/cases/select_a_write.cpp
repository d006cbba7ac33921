// SPDX-License-Identifier: MIT
// error: nor can a write to a pipe, whose first bytes are in it
#include <baton/core.hpp>

using namespace baton;

static baton::pipe<8> bytes;
static baton::signal bell;

struct chooser : coroutine<chooser, selecting<2>> {
  point step(point at) {
    BATON_BEGIN();
#if FAILS
    BATON_SELECT(bytes.write(out_), bell.wait());
#else
    BATON_SELECT(bytes.read(in_), bell.wait());
#endif
    BATON_END();
  }
  pipe_write out_;
  pipe_read in_;
};

void use() {
  static chooser c;
  c.start();
}
