// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/task.hpp>
#include <baton/async/task_within.hpp>

namespace baton::BATON_VARIANT::async {

template <typename T>
class async_generator;

namespace detail {

/// Goes from a generator to the coroutine that reads it.
struct back_to_reader {
  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  handle await_suspend(std::coroutine_handle<Promise> h) const noexcept {
    return transfer(handle::from_address(exchange<void*>(h.promise().back, nullptr)));
  }
  void await_resume() const noexcept {}
};

/// The promise of an `async_generator`.
///
/// Shape    a read makes the generator the innermost coroutine of its reader's call chain, as an
///          awaited task is. Between reads it is in no chain, and `back` is null.
template <typename T>
struct async_generator_promise : awaiting_promise<promise_base> {
  async_generator_promise() noexcept { this->back = nullptr; }

  async_generator<T> get_return_object() noexcept;
  static async_generator<T> get_return_object_on_allocation_failure() noexcept;
  std::suspend_always initial_suspend() const noexcept { return {}; }
  back_to_reader final_suspend() noexcept {
    current = nullptr;
    return {};
  }
  back_to_reader yield_value(T& value) noexcept {
    current = &value;
    return {};
  }
  back_to_reader yield_value(T&& value) noexcept {
    current = &value;
    return {};
  }
  void return_void() const noexcept {}
  void unhandled_exception() noexcept { thrown.keep_current(); }

  static void* operator new(size_t bytes) noexcept { return allocate_frame(bytes); }
  static void operator delete(void* frame, size_t bytes) noexcept { free_frame(frame, bytes); }

  bool is_read() const noexcept { return this->back != nullptr; }

  T* current = nullptr;
  failure thrown;
};

/// One read.
template <typename T>
struct [[nodiscard]] next_operation : spi::promise_awaiter {
  explicit next_operation(async_generator<T>& g) noexcept : from(&g) {}

  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  handle await_suspend(std::coroutine_handle<Promise> reader) {
    return from->begin_read(reader.promise().chain, reader);
  }
  [[nodiscard]] T* await_resume() { return from->end_read(); }

  async_generator<T>* from;
};

}  // namespace detail

/// A sequence whose values are computed as they are read, by a coroutine that may wait in between:
///
///     async::async_generator<line> lines(pipe<64>& from) {
///       ...
///         co_yield text;
///     }
///
///     auto all = lines(input);
///     while (line* l = co_await all.next()) print(*l);
///
/// Shape    a pointer to its frame, in the domain's pool. Values are not copied: a value lives in
///          the generator until the next read, and the reader may move it out.
/// Context  one reader at a time, of any call chain of its domain. A read runs the generator in the
///          reader's chain, as `co_await task` does: control goes there and back without the queue,
///          and depth takes no stack. While the generator waits, its reader waits. A stop of the
///          reader's scope ends the generator's waits with `cancelled`; a value that it yields then
///          is read. If the reader is destroyed in a read, the generator's frame is destroyed
///          first, and the generator is empty. Its own destruction, between two reads, destroys the
///          frame where it is, and the destructors of its locals run; generators that it reads are
///          among them, and take stack for each level then.
/// Errors   what the generator throws comes out of `next`, after the values before it; it has ended
///          then. BATON_REQUIRE generator_without_frame: an empty generator is read; ask
///          `has_frame()` if the pool may be exhausted. generator_read_after_end: it is read after
///          `next` gave null or threw. generator_read_by_two: it is read while another read waits.
///          generator_destroyed_in_read: it is destroyed while a read waits.
template <typename T>
class [[nodiscard]] BATON_MOVES_AS_BYTES async_generator {
 public:
  using promise_type = detail::async_generator_promise<T>;

  async_generator() noexcept = default;
  async_generator(async_generator&& other) noexcept : handle_(detail::exchange(other.handle_, detail::handle())) {}
  async_generator& operator=(async_generator&& other) noexcept {
    const detail::handle mine = handle_;
    handle_ = other.handle_;
    other.handle_ = mine;
    return *this;
  }
  ~async_generator() {
    if (!handle_) return;
    BATON_REQUIRE(generator_destroyed_in_read, !promise().is_read());
    handle_.destroy();
  }

  bool has_frame() const noexcept { return static_cast<bool>(handle_); }

  /// True if there is nothing more to read: the coroutine has ended, or there is none.
  bool has_ended() const noexcept { return !handle_ || handle_.done(); }

  /// For co_await: the next value, or null after the last one. `within(limit, g.next())` gives it
  /// as `result<T*>`.
  ///
  /// Context  at the deadline of `within` the generator's waits end with `cancelled`. A value that
  ///          it yields then is given as if it were in time. If it ends, the result is `timed_out`,
  ///          and there is nothing more to read.
  detail::next_operation<T> next() noexcept { return detail::next_operation<T>(*this); }

 private:
  friend promise_type;
  friend detail::next_operation<T>;
  explicit async_generator(detail::handle h) noexcept : handle_(h) {}

  promise_type& promise() const noexcept {
    return std::coroutine_handle<promise_type>::from_address(handle_.address()).promise();
  }

  detail::handle begin_read(detail::call_chain* chain, detail::handle reader) {
    BATON_REQUIRE(generator_without_frame, handle_);
    promise_type& p = promise();
    BATON_REQUIRE(generator_read_by_two, !p.is_read());
    BATON_REQUIRE(generator_read_after_end, !handle_.done());
    p.back = reader.address();
    p.chain = chain;
    p.other = &handle_;
    return detail::transfer(handle_);
  }
  T* end_read() {
    promise_type& p = promise();
    p.thrown.rethrow();
    return p.current;
  }

  detail::handle handle_;
};

template <typename T>
async_generator<T> detail::async_generator_promise<T>::get_return_object() noexcept {
  return async_generator<T>(this->own_handle());
}
template <typename T>
async_generator<T> detail::async_generator_promise<T>::get_return_object_on_allocation_failure() noexcept {
  return async_generator<T>();
}

namespace detail {

template <typename T>
task<void> read_next(async_generator<T>& from, T*& to) {
  to = co_await from.next();
}

template <typename Limit, typename T>
task<result<T*>> read_until(due_time<Limit> due, async_generator<T>& from) {
  T* got = nullptr;
  task<void> reading = read_next(from, got);
  if (!reading.has_frame()) co_return status::full;
  scope inner;
  inner.spawn(static_cast<task<void>&&>(reading));
  within<join_operation, Limit> ended(due, inner.join());
  const status how = co_await ended;
  if (how == status::ok) co_return got;
  inner.stop();
  co_await inner.join_nothrow();
  if (got) co_return got;
  co_return status::timed_out;
}

}  // namespace detail

/// A read with a deadline: `result<line*> l = co_await within(1_s, all.next());`
///
/// Cost     two frames and a call chain, as `within` of a task.
/// Errors   full: there is no memory for them; nothing was read.
template <typename T, typename Limit>
struct [[nodiscard]] within<detail::next_operation<T>, Limit> {
  [[nodiscard]] within(Limit limit, const detail::next_operation<T>& o) noexcept
      : run(detail::read_until(detail::due_time<Limit>(limit), *o.from)) {}

  task<result<T*>> run;
};

namespace detail {

template <typename T, typename Limit>
struct within_awaiter<next_operation<T>, Limit> : ending_task_awaiter<result<T*>> {
  within_awaiter(promise_base&, within<next_operation<T>, Limit>& w) noexcept
      : ending_task_awaiter<result<T*>>(static_cast<task<result<T*>>&&>(w.run)) {}
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
