// SPDX-License-Identifier: MIT
// error: the function of blocking\(\) is a coroutine: the pool would make it and not run it; co_await it
#include <baton/async.hpp>
#include <baton/async/blocking.hpp>

baton::async::task<int> fetch(int n) {
  co_return n + 1;
}

baton::async::task<> body(baton::async::blocking_pool& pool) {
#if FAILS
  (void)co_await baton::async::blocking(pool, fetch, 21);
#else
  (void)co_await fetch(static_cast<int>(pool.queued()));
#endif
}
