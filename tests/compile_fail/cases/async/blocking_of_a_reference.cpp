// SPDX-License-Identifier: MIT
// error: give a reference by std::ref. A blocking_token is its first parameter
#include <baton/async.hpp>
#include <baton/async/blocking.hpp>
#include <functional>

void raise(int& n) {
  ++n;
}

baton::async::task<> body(baton::async::blocking_pool& pool, int n) {
#if FAILS
  (void)co_await baton::async::blocking(pool, raise, n);
#else
  (void)co_await baton::async::blocking(pool, raise, std::ref(n));
#endif
}
