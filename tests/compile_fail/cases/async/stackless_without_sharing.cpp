// SPDX-License-Identifier: MIT
// error: a stackless coroutine that waits for a cross-loop object needs the base baton::async::cross_loop_base
#include <baton/async.hpp>
#include <baton/async/cross_loop_base.hpp>
#include <baton/async/cross_loop_channel.hpp>

baton::async::cross_loop_channel<int> orders;

#if FAILS
using base = baton::waiting;
#else
using base = baton::async::cross_loop_base<>;
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
