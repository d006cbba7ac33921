// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/measure.hpp>

#include <atomic>
#include <thread>
#include <vector>

#include "counted.hpp"

// One interval of a workload, on this thread or on several at once that share nothing.

namespace suite_service {

/// Constructs a workload of so many operations, times its `run()`, and destroys it. If its count is
/// wrong, the program ends with exit code 1.
///
/// Shape    a workload is constructed from a number of operations, outside of the interval, and has
///          `run()`, and then `finish()`, which returns its count.
template <typename Work>
BATON_NOINLINE counted one_thread(uint32_t operations) {
  using baton::board::meter;
  Work w(operations);
  meter::start();
  w.run();
  meter::stop();
  return w.finish();
}

/// As one_thread, on several threads with a workload each. They begin together, and the interval
/// ends with the last one's end.
template <typename Work>
BATON_NOINLINE counted many_threads(uint32_t operations, uint32_t count) {
  using baton::board::meter;
  std::atomic<uint32_t> ready{0}, running{count};
  std::atomic<bool> go{false}, are_over{false};
  std::vector<counted> each(count);
  std::vector<std::thread> threads;
  for (uint32_t index = 0; index != count; ++index) {
    threads.emplace_back([&, index] {
      Work w(operations);
      ready.fetch_add(1);
      go.wait(false);
      w.run();
      if (running.fetch_sub(1) == 1) {
        are_over.store(true);
        are_over.notify_one();
      }
      each[index] = w.finish();
    });
  }
  while (ready.load() != count) std::this_thread::yield();
  meter::start();
  go.store(true);
  go.notify_all();
  are_over.wait(false);
  meter::stop();
  for (std::thread& t : threads) t.join();
  counted sum;
  for (const counted& c : each) sum += only_if(c.is_right(), c);
  return sum;
}

/// The nanoseconds of an interval; meaningless where instructions are counted.
template <typename Work>
uint64_t interval(uint32_t operations, uint32_t threads, counted& sum) {
  sum = threads == 1 ? one_thread<Work>(operations) : many_threads<Work>(operations, threads);
  if (!sum.is_right()) baton::bench::detail::verdict::failed() = true;
  return baton::board::meter::elapsed_ns();
}

}  // namespace suite_service
