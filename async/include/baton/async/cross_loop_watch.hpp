// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/cross_loop_select.hpp>

#if __has_include(<mutex>)
namespace baton::BATON_VARIANT::async {

/// The memory of one reader of a `cross_loop_watch`: the version that it has read last.
///
/// Context  the thread of its reader.
class cross_loop_watch_reader {
 public:
  constexpr cross_loop_watch_reader() = default;

 private:
  template <typename T>
  friend class cross_loop_watch;

  uint64_t seen_ = 0;
};

/// The latest value, for any number of readers of any loops: core's `watch`, across loops.
///
///     async::cross_loop_watch_reader seen;
///     const status how = co_await settings.changed(seen);
///     if (how == status::ok) apply(settings.read(seen));
///
/// Shape    a lock, the value, its version and a list of waits. The lock is held while a value is
///          copied, so `get` and `read` give a copy.
/// Context  any thread may call `set`, `get`, `read` and `close`, with a reader of its own;
///          coroutines of any loop wait for `changed`. `set` ends every wait, first in, first out;
///          each coroutine goes on in its own loop, at the tail of the queue there, and reads the
///          latest value, once: values between are skipped. A reader that has read nothing finds a
///          value that was set before its first wait. A wait that is cancelled or times out has
///          marked nothing as read. `changed` may be a case of a select (cross_loop_select.hpp),
///          and of a stackless coroutine with the base `async::cross_loop_base`. The watch outlives
///          the waits for it.
/// Cost     a lock per operation; `set` O(waits), with a message node each.
/// Errors   closed: after `close()`, once the latest value has been read. If the copy of a value
///          throws in `set`, no reader learns of it. BATON_REQUIRE cross_loop_watch_in_use: it is
///          destroyed while a coroutine waits. cross_loop_wait_without_loop: a thread without a
///          loop waits.
template <typename T>
class cross_loop_watch {
 public:
  struct changed_operation;

  cross_loop_watch() = default;
  explicit cross_loop_watch(const T& value) : value_(value) {}
  cross_loop_watch(const cross_loop_watch&) = delete;
  cross_loop_watch& operator=(const cross_loop_watch&) = delete;
  ~cross_loop_watch() { BATON_REQUIRE(cross_loop_watch_in_use, !waiting_.first); }

  /// Stores a value, which is new for every reader, even if it is equal to the one before.
  void set(const T& value) {
    const std::lock_guard<std::mutex> hold(lock_);
    value_ = value;
    ++version_;
    detail::end_all(waiting_, status::ok);
  }

  /// The latest value, without marking it as read.
  T get() const {
    const std::lock_guard<std::mutex> hold(lock_);
    return value_;
  }

  /// The latest value; `by` has read it.
  T read(cross_loop_watch_reader& by) {
    const std::lock_guard<std::mutex> hold(lock_);
    T latest(value_);
    by.seen_ = version_;
    return latest;
  }

  /// True if a value was set that `by` has not read.
  bool has_changed(const cross_loop_watch_reader& by) const {
    const std::lock_guard<std::mutex> hold(lock_);
    return by.seen_ != version_;
  }

  /// For co_await and BATON_WAIT: waits for a value that `by` has not read. Then call `read(by)`.
  changed_operation changed(const cross_loop_watch_reader& by) { return changed_operation(*this, by); }

  /// Ends every wait with `closed`, including later ones of readers that have read the latest
  /// value. Idempotent.
  void close() {
    const std::lock_guard<std::mutex> hold(lock_);
    is_closed_ = true;
    detail::end_all(waiting_, status::closed);
  }

 private:
  mutable std::mutex lock_;
  T value_ = {};
  uint64_t version_ = 0;
  bool is_closed_ = false;
  detail::cross_loop_list waiting_;
};

template <typename T>
struct [[nodiscard]] cross_loop_watch<T>::changed_operation : detail::cross_loop_operation<changed_operation> {
  changed_operation(cross_loop_watch& w, const cross_loop_watch_reader& by) noexcept
      : detail::cross_loop_operation<changed_operation>(w.lock_, nullptr), source(&w), reader(&by) {}

  bool attempt(status& s, detail::notify_later&, const detail::cross_loop_wait&) const {
    const bool is_new = reader->seen_ != source->version_;
    s = is_new ? status::ok : status::closed;
    return is_new || source->is_closed_;
  }
  bool is_possible(const detail::cross_loop_claim&) const {
    return reader->seen_ != source->version_ || source->is_closed_;
  }
  detail::cross_loop_list& list() const { return source->waiting_; }

  cross_loop_watch* source;
  const cross_loop_watch_reader* reader;
};

}  // namespace baton::BATON_VARIANT::async
#endif
