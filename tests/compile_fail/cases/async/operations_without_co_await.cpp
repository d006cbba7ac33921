// SPDX-License-Identifier: MIT
// error: ignoring (return|temporary)
// errors: 52
#include <baton/async.hpp>
#include <baton/async/async_generator.hpp>
#include <baton/async/batched_sender.hpp>
#include <baton/async/blocking.hpp>
#include <baton/async/cross_loop_channel.hpp>
#include <baton/async/cross_loop_endpoint.hpp>
#include <baton/async/cross_loop_select.hpp>
#include <baton/async/cross_loop_watch.hpp>
#include <baton/async/cross_thread_queue.hpp>
#include <baton/async/event.hpp>
#include <baton/async/loop_thread.hpp>
#include <baton/async/message_queue.hpp>
#include <baton/async/mutex.hpp>
#include <baton/async/resume_on.hpp>
#include <baton/async/shield.hpp>
#include <baton/async/stop_within.hpp>
#include <baton/async/when.hpp>

namespace async = baton::async;
using namespace baton::literals;

baton::channel<int> numbers;
baton::signal bell;
baton::semaphore units(1);
baton::event_flags flags;
baton::endpoint<int, int> desk;

async::task<> one() {
  co_return;
}

baton::signal::wait_operation rings() {
  return bell.wait();
}

async::task<> waits(async::scope& s, async::mutex& m, async::manual_event& e) {
  int value = 0;
  static_cast<void>(co_await async::select(numbers.receive(value), m.lock(), e.wait()));
  co_await s.join();
#if FAILS
  async::sleep_for(1_ms);
  async::sleep_until(baton::port::now());
  async::yield();
  async::this_scope();
  s.join();
  s.join_nothrow();
  async::stop_within(1_ms, s);
  m.lock();
  async::hold(m);
  e.wait();
  bell.wait();
  rings();
  units.acquire();
  numbers.send(1);
  async::receive(numbers);
  async::call(desk, 1);
  async::select(numbers.receive(value), bell.wait());
  async::select(bell.wait(), async::sleep_for(1_ms));
  async::select(bell.wait(), one());
  async::within(1_ms, numbers.receive(value));
  async::within(1_ms, s.join());
  async::within(1_ms, one());
  async::until_stop(s.token(), bell.wait());
  async::until_stop(s.token(), one());
  async::shield(1_ms, one());
  async::when_any(one(), one());
  async::as_task(bell.wait());
  async::as_case(async::receive(numbers));
  async::as_case(one());
  one();
  async::within(1_ms, async::sleep_for(2_ms));
  async::within(1_ms, async::select(bell.wait(), async::sleep_for(1_ms)));
#endif
}

#if FAILS
async::task<> crosses_loops(async::loop_handle there, async::loop_thread& thread, async::cross_loop_channel<int>& c,
                            async::cross_loop_endpoint<int, int>& d, async::cross_loop_watch<int>& w,
                            async::cross_loop_watch_reader& seen, baton::exchange<int, int>& x) {
  int value = 0;
  async::resume_on(there);
  async::resume_on_origin();
  async::run_on(there, one());
  thread.ended();
  c.send(1);
  c.receive(value);
  d.call(x);
  w.changed(seen);
  async::select(c.receive(value), bell.wait());
  co_return;
}

async::task<> of_others(async::blocking_pool& pool, async::async_generator<int>& g, async::task_set<int>& all,
                        async::join_handle<int>& h, async::message_queue<int, 4>& q,
                        async::cross_thread_queue<int, 1>& far, async::batched_sender<int>& to) {
  int value = 0;
  async::blocking(pool, [] {});
  g.next();
  async::within(1_ms, g.next());
  all.next();
  async::within(1_ms, all.next());
  all.join();
  h.join();
  q.wait();
  q.receive(value);
  far.wait();
  to.send(1);
  co_return;
}
#endif
