// SPDX-License-Identifier: MIT
// error: a stackless coroutine that waits for something shared needs room for it: the base baton::async::sharing
#include <baton/async.hpp>
#include <baton/async/shared_channel.hpp>
#include <baton/async/sharing.hpp>

baton::async::shared_channel<int> orders;

#if FAILS
using base = baton::waiting;
#else
using base = baton::async::sharing<>;
#endif

struct body : baton::coroutine<body, base> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    BATON_WAIT(orders.receive(value));
    BATON_END();
  }
  int value = 0;
} it;

void run() {
  it.start();
}
