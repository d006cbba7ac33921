// SPDX-License-Identifier: MIT
// error: a Request or Reply with a destructor is for clients that are C\+\+20 coroutines
// lines: 30
#include <baton/core.hpp>

struct request {
#if FAILS
  ~request() {}
#endif
  int number = 0;
};

baton::endpoint<request, int> desk;

struct client : baton::coroutine<client, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_WAIT(desk.call(x_));
    BATON_END();
  }
  baton::exchange<request, int> x_;
};

client c;
