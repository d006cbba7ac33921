// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/batched_sender.hpp>
#include <baton/async/cross_thread_queue.hpp>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "crossing_floor.hpp"

// Events that threads send to a loop: the case cross_thread of the suite async, on Linux.

namespace suite_async {

using crossings = baton::bench::operations<8192>;

/// Threads that push a share of the events each. They exist and wait before `go`, so that no
/// thread's start is timed.
class producers {
 public:
  /// `push(index, share)` runs in each of `count` threads.
  template <typename Push>
  producers(uint32_t count, uint32_t total, Push push) {
    for (uint32_t index = 0; index != count; ++index) {
      threads_.emplace_back([=, this] { push(index, total / count, *this); });
    }
    while (ready_.load() != count) std::this_thread::yield();
  }
  /// Called by a producer that is ready: waits for the others.
  void wait() {
    ready_.fetch_add(1);
    while (!go_.load(std::memory_order_acquire)) std::this_thread::yield();
  }
  void go() { go_.store(true, std::memory_order_release); }
  void join() {
    for (std::thread& t : threads_) t.join();
  }

 private:
  std::atomic<uint32_t> ready_{0};
  std::atomic<bool> go_{false};
  std::vector<std::thread> threads_;
};

template <uint32_t Producers>
struct crossing : workload {
  static constexpr bool delimits = true;

  using queue = async::cross_thread_queue<event, Producers>;

  static std::unique_ptr<queue> in;
  static std::unique_ptr<producers> threads;
  static handlers handle;

  static task<> serve() {
    while (handle.handled != crossings::count()) {
      if (co_await in->wait() != baton::status::ok) wrong = true;
      in->drain([](const event& e) { handle(e); });
    }
  }
  static void prepare() {
    handle = handlers();
    in = std::make_unique<queue>(runner::own());
    threads = std::make_unique<producers>(Producers, crossings::count(), [](uint32_t, uint32_t share, producers& all) {
      async::batched_sender<event> out(*in);
      event_source<false> source;
      all.wait();
      for (uint32_t n = 0; n != share; ++n) {
        if (out.send_until(source.next(), baton::async::never) != baton::status::ok) wrong = true;
      }
      if (out.flush() != baton::status::ok) wrong = true;
    });
    runner::own().spawn(serve());
  }
  static void run() {
    baton::board::meter::start();
    threads->go();
    runner::own().run();
    baton::board::meter::stop();
  }
  static bool finish() {
    threads->join();
    in.reset();
    return handle.handled == crossings::count() && !wrong;
  }
};
template <uint32_t Producers>
std::unique_ptr<typename crossing<Producers>::queue> crossing<Producers>::in;
template <uint32_t Producers>
std::unique_ptr<producers> crossing<Producers>::threads;
template <uint32_t Producers>
handlers crossing<Producers>::handle;

namespace minimal {

template <uint32_t Producers>
struct crossing : workload {
  static constexpr bool delimits = true;

  static std::unique_ptr<chunks<event>> queue;
  static std::unique_ptr<producers> threads;
  static handlers handle;

  static void prepare() {
    handle = handlers();
    queue = std::make_unique<chunks<event>>();
    threads = std::make_unique<producers>(Producers, crossings::count(), [](uint32_t, uint32_t share, producers& all) {
      chunks<event>::writer out(*queue);
      event_source<false> source;
      all.wait();
      for (uint32_t n = 0; n != share; ++n) out.push(source.next());
      out.flush();
    });
  }
  static void run() {
    baton::board::meter::start();
    threads->go();
    while (handle.handled != crossings::count()) queue->take_all(handle);
    baton::board::meter::stop();
  }
  static bool finish() {
    threads->join();
    return handle.handled == crossings::count();
  }
};
template <uint32_t Producers>
std::unique_ptr<chunks<event>> crossing<Producers>::queue;
template <uint32_t Producers>
std::unique_ptr<producers> crossing<Producers>::threads;
template <uint32_t Producers>
handlers crossing<Producers>::handle;

}  // namespace minimal
}  // namespace suite_async
