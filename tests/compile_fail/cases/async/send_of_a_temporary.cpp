// SPDX-License-Identifier: MIT
// only: g++
// error: g\+\+ 12 destroys this temporary twice: make it a variable, or give its type a constructor
#include <baton/async.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <string>

struct line {
  std::string text;
  int number;
};
baton::channel<line> lines;
baton::async::cross_loop_channel<line> other_lines;
baton::channel<std::string> texts;

baton::async::task<> body(std::string text) {
#if FAILS
  (void)co_await lines.send({text, 1});
  (void)co_await other_lines.send(line{text, 2});
#else
  const line one{text, 1};
  (void)co_await lines.send(one);
  (void)co_await other_lines.send(one);
  (void)co_await texts.send("a text has constructors");
#endif
}
