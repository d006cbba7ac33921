// SPDX-License-Identifier: MIT
// error: the copy of this value may throw, so its send cannot be a case of a select across loops
#include <baton/async.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <string>

baton::async::cross_loop_channel<std::string> texts;
baton::signal bell;

baton::async::task<> body() {
  std::string text;
#if FAILS
  (void)co_await baton::async::select(bell.wait(), texts.send(text));
#else
  (void)co_await baton::async::select(bell.wait(), texts.receive(text));
#endif
}
