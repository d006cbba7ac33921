// SPDX-License-Identifier: MIT
#include <uv.h>

#include <mutex>
#include <peer.hpp>
#include <producers.hpp>
#include <utility>

namespace {

/// Lets the loop close its open handles, and closes the loop.
void close(uv_loop_t& loop) {
  uv_walk(
      &loop,
      [](uv_handle_t* handle, void*) {
        if (!uv_is_closing(handle)) uv_close(handle, nullptr);
      },
      nullptr);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_loop_close(&loop);
}

/// Events of this thread, which the loop handles as long as there are any.
struct own_queue {
  uv_loop_t loop;
  uv_idle_t idle;
  std::vector<peer::event> events;
  std::vector<peer::event> taken;
  peer::handlers handlers;

  void push(const peer::event& happened) {
    if (events.empty()) uv_idle_start(&idle, handle);
    events.push_back(happened);
  }
  static void handle(uv_idle_t* idle) {
    own_queue& self = *static_cast<own_queue*>(idle->data);
    std::swap(self.events, self.taken);
    for (const peer::event& happened : self.taken) self.handlers.dispatch(happened);
    self.taken.clear();
    if (self.events.empty()) uv_idle_stop(idle);
  }
};

uint64_t event(uint64_t count, bool random, peer::stopwatch& watch) {
  own_queue queue;
  uv_loop_init(&queue.loop);
  uv_idle_init(&queue.loop, &queue.idle);
  queue.idle.data = &queue;
  peer::events events{random};
  watch.start();
  for (uint64_t done = 0; done < count; done += peer::events::batch) {
    const uint64_t size = std::min<uint64_t>(count - done, peer::events::batch);
    for (uint64_t number = 0; number != size; ++number) queue.push(events.next());
    uv_run(&queue.loop, UV_RUN_DEFAULT);
    peer::escape();
  }
  watch.stop();
  close(queue.loop);
  return queue.handlers.handled();
}

/// Events of other threads: a vector under a lock, which the loop swaps for an empty one when it is
/// woken.
struct shared_queue {
  uv_loop_t loop;
  uv_async_t told;
  std::mutex lock;
  std::vector<peer::event> events;
  std::vector<peer::event> taken;
  peer::handlers handlers;
  uint64_t count;

  void push(const peer::event& happened) {
    bool first;
    {
      const std::lock_guard<std::mutex> guard{lock};
      first = events.empty();
      events.push_back(happened);
    }
    if (first) uv_async_send(&told);
  }
  static void handle(uv_async_t* told) {
    shared_queue& self = *static_cast<shared_queue*>(told->data);
    {
      const std::lock_guard<std::mutex> guard{self.lock};
      std::swap(self.events, self.taken);
    }
    for (const peer::event& happened : self.taken) self.handlers.dispatch(happened);
    self.taken.clear();
    if (self.handlers.handled() == self.count) uv_stop(&self.loop);
  }
};

uint64_t cross_thread(uint64_t count, unsigned producers, peer::stopwatch& watch) {
  shared_queue queue;
  queue.count = count;
  uv_loop_init(&queue.loop);
  uv_async_init(&queue.loop, &queue.told, shared_queue::handle);
  queue.told.data = &queue;
  peer::producers threads{producers, count, [&](uint64_t share) {
                            peer::events events{false};
                            for (uint64_t number = 0; number != share; ++number) queue.push(events.next());
                          }};
  watch.start();
  threads.go();
  uv_run(&queue.loop, UV_RUN_DEFAULT);
  watch.stop();
  threads.join();
  close(queue.loop);
  return queue.handlers.handled();
}

uint64_t fired = 0;

void fire(uv_timer_t*) {
  ++fired;
}

uint64_t timer(uint64_t count, peer::stopwatch& watch) {
  uv_loop_t loop;
  uv_loop_init(&loop);
  std::vector<uv_timer_t> timers(count);
  for (uv_timer_t& each : timers) uv_timer_init(&loop, &each);
  peer::random_numbers numbers;
  fired = 0;
  uv_update_time(&loop);
  const uint64_t from = peer::now_ns();
  watch.start();
  for (uv_timer_t& each : timers) uv_timer_start(&each, fire, numbers.next() % peer::timers_due_ms, 0);
  watch.stop();
  const uint64_t due = from + (peer::timers_due_ms + 1) * 1'000'000u;
  if (const uint64_t now = peer::now_ns(); now < due) {
    std::this_thread::sleep_for(std::chrono::nanoseconds{due - now});
  }
  watch.start();
  uv_run(&loop, UV_RUN_DEFAULT);
  watch.stop();
  close(loop);
  return fired;
}

uint64_t timer_cancel(uint64_t count, peer::stopwatch& watch) {
  constexpr uint64_t hour_ms = 3'600'000;
  uv_loop_t loop;
  uv_loop_init(&loop);
  std::vector<uv_timer_t> others(1'000'000);
  peer::random_numbers numbers;
  for (uv_timer_t& each : others) {
    uv_timer_init(&loop, &each);
    uv_timer_start(&each, fire, hour_ms + numbers.next() % 1'000'000, 0);
  }
  uv_timer_t own;
  uv_timer_init(&loop, &own);
  uint64_t cancelled = 0;
  watch.start();
  for (uint64_t done = 0; done != count; ++done) {
    uv_timer_start(&own, fire, hour_ms + numbers.next() % 1'000'000, 0);
    cancelled += uv_is_active(reinterpret_cast<uv_handle_t*>(&own));
    uv_timer_stop(&own);
  }
  watch.stop();
  close(loop);
  return cancelled;
}

}  // namespace

int main(int argc, char** argv) {
  peer::session session{argc, argv, "libuv", uv_version_string()};
  if (session.alone("async")) {
    session.time("event types=predictable", 50 * peer::events::batch,
                 [](auto n, auto& watch) { return event(n, false, watch); });
    session.time("event types=random", 50 * peer::events::batch,
                 [](auto n, auto& watch) { return event(n, true, watch); });
    session.time("timer", 1'000'000, timer, 1);
    session.time("timer_cancel", 1'000'000, timer_cancel, 1);
  }
  if (session.threads("async")) {
    for (const unsigned producers : peer::producer_counts) {
      session.time(peer::cross_thread(producers), 100'000,
                   [=](auto n, auto& watch) { return cross_thread(n, producers, watch); });
    }
  }
  return session.code();
}
