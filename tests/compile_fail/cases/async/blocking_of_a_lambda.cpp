// SPDX-License-Identifier: MIT
// only: g++
// error: g\+\+ 12 destroys this lambda twice in a co_await: make it a variable, or give what it holds as arguments
#include <baton/async.hpp>
#include <baton/async/blocking.hpp>
#include <string>

baton::async::task<> body(baton::async::blocking_pool& pool, std::string text) {
#if FAILS
  (void)co_await baton::async::blocking(pool, [text] { return text.size(); });
#else
  (void)co_await baton::async::blocking(pool, [](const std::string& t) { return t.size(); }, text);
#endif
}
