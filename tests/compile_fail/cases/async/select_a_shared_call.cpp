// SPDX-License-Identifier: MIT
// error: a call cannot be a case of a select: once a server has it, it cannot be taken back
#include <baton/async.hpp>
#include <baton/async/cross_loop_endpoint.hpp>

baton::async::cross_loop_endpoint<int, int> server;
baton::signal bell;

baton::async::task<> body() {
#if FAILS
  baton::async::cross_loop_endpoint<int, int>::exchange_type x;
  (void)co_await baton::async::select(bell.wait(), server.call(x));
#else
  baton::async::cross_loop_endpoint<int, int>::served_type s;
  (void)co_await baton::async::select(bell.wait(), server.receive(s));
#endif
}
