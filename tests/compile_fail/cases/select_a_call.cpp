// SPDX-License-Identifier: MIT
// error: a call cannot be a case of a select: once a server has it, it cannot be taken back
// lines: 19
#include <baton/core.hpp>

baton::signal a;
baton::endpoint<int, int> server;

struct body : baton::coroutine<body, baton::selecting<2>> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
#if FAILS
    BATON_SELECT(a.wait(), server.call(exchange));
#else
    BATON_WAIT(server.call(exchange));
    BATON_SELECT(a.wait(), a.wait());
#endif
    BATON_END();
  }
  baton::exchange<int, int> exchange;
} it;
