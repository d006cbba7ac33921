// SPDX-License-Identifier: MIT
// error clang++: ignoring return value
// silent g++: 12 never warns about the result of a co_await
// errors: 27
#include <baton/async.hpp>
#include <baton/async/async_generator.hpp>
#include <baton/async/blocking.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/cross_loop_select.hpp>
#include <baton/async/event.hpp>
#include <baton/async/loop_thread.hpp>
#include <baton/async/mutex.hpp>
#include <baton/async/resume_on.hpp>
#include <baton/async/stop_within.hpp>
#include <baton/async/when.hpp>

namespace async = baton::async;
using namespace baton::literals;

baton::channel<int> numbers;
baton::signal bell;
baton::endpoint<int, int> desk;

async::task<int> one() {
  co_return 1;
}
async::task<> nothing() {
  co_return;
}

async::task<> waits(async::scope& s, async::mutex& m, async::manual_event& e, async::loop_handle there,
                    async::loop_thread& thread, async::cross_loop_channel<int>& c) {
  int value = 0;
  baton::exchange<int, int> x;
#if FAILS
  co_await numbers.send(1);
  co_await numbers.receive(value);
  co_await async::receive(numbers);
  co_await desk.call(x);
  co_await async::call(desk, 1);
  co_await bell.wait();
  co_await m.lock();
  co_await async::hold(m);
  co_await e.wait();
  co_await async::select(numbers.receive(value), bell.wait());
  co_await async::select(bell.wait(), nothing());
  co_await async::within(1_ms, numbers.receive(value));
  co_await async::within(1_ms, s.join());
  co_await async::within(1_ms, nothing());
  co_await async::until_stop(s.token(), bell.wait());
  co_await one();
  co_await async::when_all(one(), nothing());
  co_await async::this_scope();
  co_await async::resume_on(there);
  co_await thread.ended();
  co_await c.receive(value);
#else
  static_cast<void>(co_await numbers.receive(value));
  static_cast<void>(co_await desk.call(x));
  static_cast<void>(co_await async::select(m.lock(), e.wait(), thread.ended(), c.receive(value)));
  if (co_await async::resume_on(there) != baton::status::ok) co_return;
  co_await async::resume_on_origin();
  co_await async::sleep_for(1_ms);
  co_await async::sleep_until(baton::port::now());
  co_await async::within(1_ms, async::sleep_for(2_ms));
  co_await async::yield();
  co_await async::stop_within(1_ms, s);
  co_await s.join();
  co_await s.join_nothrow();
  co_await nothing();
  co_await async::when_all(nothing(), s.join(), async::yield());
#endif
}

async::task<> of_others(async::blocking_pool& pool, async::async_generator<int>& g, async::task_set<int>& all,
                        async::join_handle<int>& h) {
#if FAILS
  co_await async::blocking(pool, [] {});
  co_await g.next();
  co_await async::within(1_ms, g.next());
  co_await all.next();
  co_await h.join();
  co_await async::within(1_ms, h.join());
#else
  static_cast<void>(co_await async::blocking(pool, [] {}));
  if (!co_await g.next() || !co_await h.join()) co_return;
  co_await all.join();
#endif
}
