// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/loop.hpp>

#if defined(__STDCPP_THREADS__) && __has_include(<thread>)
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace baton::BATON_VARIANT::async {

class blocking_pool;

namespace detail {
struct blocking_job;
}  // namespace detail

/// Says to a function on a thread of a `blocking_pool` that its result is not wanted any more.
///
/// Context  the function's thread, while the function runs.
class blocking_token {
 public:
  bool is_stopping() const noexcept { return __atomic_load_n(stops_, __ATOMIC_ACQUIRE); }

 private:
  friend struct detail::blocking_job;
  explicit blocking_token(const bool& stops) noexcept : stops_(&stops) {}

  const bool* stops_;
};

/// The policies of a `blocking_pool` whose queue is full.
enum class when_full : uint8_t {
  waits,   ///< a further call waits in line, first in, first out
  refuses  ///< a further call ends at once with `full`
};

namespace detail {

/// A function that a pool calls, without its type.
///
/// Shape    on the heap, counted. Its operations hold it, and one reference goes from the queue to
///          the thread that runs it, and with the message of its end to the loop.
/// Context  `phase`, `next` and `before` are under the pool's lock; `waiting` is the loop's.
struct blocking_job {
  enum job_phase : uint8_t { fresh, queued, running, ended };
  using function = void (*)(blocking_job&) noexcept;
  /// Called by the loop: the wait is over. The argument is `waiting`.
  using end_function = void (*)(void*) noexcept;

  blocking_job(function r, function d) noexcept : run(r), destroy(d) {}
  blocking_job(const blocking_job&) = delete;
  blocking_job& operator=(const blocking_job&) = delete;

  void keep() noexcept { __atomic_add_fetch(&references, 1, __ATOMIC_RELAXED); }
  void forget() noexcept {
    if (__atomic_sub_fetch(&references, 1, __ATOMIC_ACQ_REL) != 0) return;
    if (home) home->forget();
    destroy(*this);
  }

  void set_home(mailbox& m) noexcept {
    m.keep();
    if (home) home->forget();
    home = &m;
  }

  void ask_to_stop() noexcept { __atomic_store_n(&stops, true, __ATOMIC_RELEASE); }
  blocking_token token() const noexcept { return blocking_token(stops); }

  /// Sends the end to the loop; it takes the reference along.
  void send_end(status s) noexcept {
    how = s;
    const loop_handle to(*home);  // this object may be gone once the message has been pushed
    if (!to.mailbox().post(message)) forget();
  }
  static inline void arrive(void* p);

  function run;
  function destroy;
  blocking_job* next = nullptr;
  blocking_job* before = nullptr;
  blocking_pool* pool = nullptr;
  mailbox* home = nullptr;
  void* waiting = nullptr;  // null: its coroutine has been destroyed
  end_function end = nullptr;
  message_node message{&arrive, this};
  uint32_t references = 1;
  status how = status::ok;
  job_phase phase = fresh;
  bool stops = false;
};

/// A doubly linked list of jobs.
struct blocking_list {
  void push(blocking_job& j) noexcept {
    j.next = nullptr;
    j.before = last;
    (last ? last->next : first) = &j;
    last = &j;
    ++size;
  }
  void remove(blocking_job& j) noexcept {
    (j.before ? j.before->next : first) = j.next;
    (j.next ? j.next->before : last) = j.before;
    --size;
  }

  blocking_job* first = nullptr;
  blocking_job* last = nullptr;
  uint32_t size = 0;
};

}  // namespace detail

/// A fixed number of threads for functions that block or compute for long, which coroutines await
/// by `blocking` (blocking.hpp).
///
///     async::blocking_pool disk(4, 64, async::when_full::refuses);
///     ...
///     disk.close();
///     disk.join();
///
/// Shape    the threads, and a queue of the calls that wait for one, first in, first out. A call
///          with its function, result and exception is a piece of memory from the frame pool,
///          which its coroutine and the thread share: either may end first.
/// Units    0 threads make a pool of 1: `std::thread::hardware_concurrency()` may return 0. `queue`
///          counts the calls that have not begun, beyond one for each thread. It is a limit only
///          with `when_full::refuses`; with `when_full::waits` any number of calls may wait.
/// Context  any thread calls `close` and the counts while this object lives; a thread that is not
///          its own calls `join`. Coroutines of any loop call functions on it. It outlives their
///          waits. A function does not wait for another one on the same pool, whose last thread it
///          may have; and it does not touch what belongs to a loop, such as a channel or a
///          `stop_source`: it returns, and its coroutine does.
/// Errors   BATON_REQUIRE blocking_pool_not_joined: it is destroyed before `join`, and would block
///          without notice. While an exception unwinds the stack it does: it closes the pool, and
///          the functions that run end. blocking_pool_in_use: it is destroyed while a coroutine
///          waits for a call, or has not yet been told of its end.
class blocking_pool {
 public:
  explicit blocking_pool(uint32_t threads, uint32_t queue = 256, when_full policy = when_full::waits)
      : most_(uint64_t{at_least_one(threads)} + queue), policy_(policy) {
    joiner undo{this};
    threads_.reserve(at_least_one(threads));
    while (threads_.size() != at_least_one(threads)) threads_.emplace_back([this] { serve(); });
    undo.of = nullptr;
  }
  blocking_pool(const blocking_pool&) = delete;
  blocking_pool& operator=(const blocking_pool&) = delete;
  ~blocking_pool() {
    if (BATON_UNLIKELY(!threads_.empty())) {
      BATON_REQUIRE(blocking_pool_not_joined, detail::is_unwinding());
      join();
    }
    BATON_REQUIRE(blocking_pool_in_use, waits() == 0);
  }

  /// Ends the calls that have not begun with `closed`; their functions are never called. Later
  /// calls end with `closed`. A function that runs is told by its `blocking_token`, and its call
  /// ends with its result. Idempotent.
  void close() noexcept {
    detail::blocking_job* ended = nullptr;
    {
      const std::lock_guard<std::mutex> hold(lock_);
      is_closed_ = true;
      for (detail::blocking_job* j = running_.first; j; j = j->next) j->ask_to_stop();
      ended = queue_.first;
      for (detail::blocking_job* j = ended; j; j = j->next) j->phase = detail::blocking_job::fresh;
      queue_ = detail::blocking_list();
    }
    work_.notify_all();
    while (ended) detail::exchange(ended, ended->next)->send_end(status::closed);
  }

  /// Closes it, and blocks until each function that runs has returned and the threads have ended.
  void join() {
    close();
    for (std::thread& t : threads_) t.join();
    threads_.clear();
  }

  /// The number of calls that have not begun.
  uint32_t queued() const noexcept {
    const std::lock_guard<std::mutex> hold(lock_);
    return queue_.size;
  }
  /// The number of functions that run.
  uint32_t running() const noexcept {
    const std::lock_guard<std::mutex> hold(lock_);
    return running_.size;
  }
  /// The number of coroutines that wait for the end of a call.
  uint32_t waits() const noexcept { return __atomic_load_n(&waits_, __ATOMIC_ACQUIRE); }

  /// For the other parts of async: queues a call, whose end is sent to `home`.
  /// Errors   closed. full: as the policy says.
  status begin(detail::blocking_job& j, mailbox& home) {
    {
      const std::lock_guard<std::mutex> hold(lock_);
      BATON_REQUIRE(blocking_awaited_twice, j.phase == detail::blocking_job::fresh);
      if (is_closed_) return status::closed;
      if (policy_ == when_full::refuses && queue_.size + running_.size >= most_) return status::full;
      __atomic_add_fetch(&waits_, 1, __ATOMIC_RELAXED);
      j.keep();
      j.set_home(home);
      j.stops = false;
      j.phase = detail::blocking_job::queued;
      queue_.push(j);
      home.expect(&give_way);
    }
    work_.notify_one();
    return status::ok;
  }

  /// For the other parts of async: takes a call out of the queue. false: its function runs, or has
  /// returned, and has been told that its result is not wanted.
  bool withdraw(detail::blocking_job& j) noexcept {
    {
      const std::lock_guard<std::mutex> hold(lock_);
      if (j.phase != detail::blocking_job::queued) return j.ask_to_stop(), false;
      queue_.remove(j);
      j.phase = detail::blocking_job::fresh;
    }
    j.home->has_come();
    j.forget();
    return true;
  }

  /// For the other parts of async: a coroutine waits no more.
  void end_wait() noexcept { __atomic_sub_fetch(&waits_, 1, __ATOMIC_RELEASE); }

 private:
  static uint32_t at_least_one(uint32_t threads) noexcept { return threads != 0 ? threads : 1; }
  static void give_way() noexcept { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

  /// Joins the threads that have begun if one cannot be made.
  struct joiner {
    ~joiner() {
      if (of) of->join();
    }
    blocking_pool* of;
  };

  void serve() noexcept {
    std::unique_lock<std::mutex> hold(lock_);
    for (;;) {
      while (!queue_.first && !is_closed_) work_.wait(hold);
      detail::blocking_job* const j = queue_.first;
      if (!j) return;
      queue_.remove(*j);
      j->phase = detail::blocking_job::running;
      running_.push(*j);
      hold.unlock();
      j->run(*j);
      BATON_REQUIRE(blocking_function_woke_job, !domain::tail());
      hold.lock();
      running_.remove(*j);
      j->phase = detail::blocking_job::ended;
      hold.unlock();
      j->send_end(status::ok);
      hold.lock();
    }
  }

  mutable std::mutex lock_;
  std::condition_variable work_;
  detail::blocking_list queue_;
  detail::blocking_list running_;
  const uint64_t most_;
  const when_full policy_;
  bool is_closed_ = false;
  uint32_t waits_ = 0;
  std::vector<std::thread> threads_;
};

inline void detail::blocking_job::arrive(void* p) {
  blocking_job& j = *static_cast<blocking_job*>(p);
  j.home->has_come();
  if (j.waiting) {
    j.pool->end_wait();
    j.end(detail::exchange<void*>(j.waiting, nullptr));
  }
  j.forget();
}

}  // namespace baton::BATON_VARIANT::async
#endif
