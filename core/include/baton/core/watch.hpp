// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>

namespace baton {

namespace detail {

/// A watch without its value: one copy of the code per program.
struct watch_core {
  /// Tells all jobs that wait of a new value. No version is 0, which a reader has that has read
  /// nothing.
  BATON_NOINLINE void changed() {
    if (++version == 0) version = 1;
    while (waiter* w = waiters.take_shared(wait_list::receivers)) wake_shared(w, static_cast<uint8_t>(status::ok));
  }

  wait_list waiters;
  unsigned version = 0;
};

}  // namespace detail

/// The memory of one reader of a watch: the version that it has read last. A member of the job.
///
/// Shape    2 bytes on AVR.
class watch_reader {
 public:
  constexpr watch_reader() = default;

 private:
  template <typename T>
  friend class watch;

  unsigned seen_ = 0;
};

/// The latest value, for any number of readers, each of which learns that it has changed.
///
/// Shape    the value, its version and a wait list. 5 bytes on AVR and the value.
/// Units    a reader compares versions of the width of `unsigned`: exactly so many changes as that
///          type has values, less one, between two reads look like none.
/// Context  `set()` stores the value and wakes every job that waits, oldest first; the jobs run
///          from the tail of the ready queue, and the caller goes on. A job that runs late reads
///          the latest value, once: values between are skipped. A reader that has read nothing
///          finds a value that was set before its first wait, and waits while none was set. A wait
///          that is cancelled or times out has marked nothing as read.
/// Cost     `set()` O(waiters). Flash on AVR: suite memory, cases watch and watch_two.
/// Errors   `closed` when it is destroyed while a job waits.
template <typename T>
class watch : domain_affinity {
 public:
  struct wait_operation;

  constexpr watch() = default;
  constexpr explicit watch(const T& value) : value_(value) {}
  watch(const watch&) = delete;
  watch& operator=(const watch&) = delete;
  ~watch() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) close_list(core_.waiters);
  }

  /// Stores a value, which is new for every reader, even if it is equal to the one before.
  void set(const T& value) {
    check();
    value_ = value;
    core_.changed();
  }

  /// The latest value, without marking it as read.
  const T& get() const { return value_; }

  /// The latest value; `by` has read it.
  const T& read(watch_reader& by) {
    check();
    by.seen_ = core_.version;
    return value_;
  }

  /// True if a value was set that `by` has not read.
  bool has_changed(const watch_reader& by) const { return by.seen_ != core_.version; }

  /// For BATON_WAIT and its forms: waits for a value that `by` has not read. Then call `read(by)`.
  BATON_NODISCARD BATON_INLINE wait_operation changed(const watch_reader& by) { return wait_operation(*this, by); }

 private:
  detail::watch_core core_;
  T value_ = {};
};

template <typename T>
struct BATON_NODISCARD_TYPE watch<T>::wait_operation : list_wait {
  BATON_INLINE wait_operation(watch& of, const watch_reader& by)
      : list_wait{&of.core_.waiters, wait_list::receivers, nullptr}, source(&of), reader(&by) {}

  BATON_INLINE bool try_now(waiter& w) const {
    source->check();
    if (!source->has_changed(*reader)) return false;
    w.end(status::ok);
    return true;
  }

  watch* source;
  const watch_reader* reader;
};

}  // namespace baton
