// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/taking.hpp>

/// Tasks side by side, whose results come in the order in which the tasks end.
namespace baton::BATON_VARIANT::async {

namespace detail {

template <typename T>
struct task_of_set;

/// A list of tasks that have ended. Any of them can leave it.
template <typename T>
struct ended_tasks {
  using element = task_of_set<T>;

  void push_back(element& e) noexcept { link(e, *last); }
  void push_front(element& e) noexcept { link(e, first); }
  void remove(element& e) noexcept {
    *e.linked_by = e.following;
    (e.following ? e.following->linked_by : last) = e.linked_by;
    e.linked_by = nullptr;
  }

  element* first = nullptr;
  element** last = &first;

 private:
  void link(element& e, element*& by) noexcept {
    e.following = by;
    e.linked_by = &by;
    (e.following ? e.following->linked_by : last) = &e.following;
    by = &e;
  }
};

/// A task of a set, from its beginning until its result is taken. Its memory is from the pool of
/// frames.
template <typename T>
struct task_of_set {
  void free() noexcept {
    this->~task_of_set();
    free_frame(this, sizeof(task_of_set));
  }

  task_of_set* following = nullptr;
  task_of_set** linked_by = nullptr;  // of the list of its set that it is in
  task_outcome<T> outcome;
};

}  // namespace detail

/// Tasks that run side by side, and whose results are taken in the order in which the tasks end.
///
///     async::task_set<page> pages;
///     for (const url& u : urls) {
///       if (pages.spawn(fetch(u)) != status::ok) break;
///     }
///     for (;;) {
///       async::result<page> p = co_await pages.next();
///       if (p.status() == status::closed) break;
///       if (p) use(*p);
///     }
///
/// Shape    a scope and two lists; a member, or a local variable of a coroutine. It outlives its
///          tasks, as a scope does. Results that nobody takes are destroyed with it.
/// Context  one domain: a task that goes to another loop returns before it ends. A task that throws
///          stops no other; `next` throws what it threw, in its turn. A stop of the scope of the
///          coroutine that joins the set stops its tasks.
/// Cost     for each task a frame besides its own, until it has ended, and memory for its result
///          from the pool of frames, until it is taken. `size()` counts the tasks whose memory is
///          in use: the number of tasks is the caller's to bound.
/// Errors   BATON_REQUIRE scope_not_empty: the set is destroyed while a task runs, unless it is
///          destroyed with the coroutine that owns it, or while an exception unwinds the stack:
///          then its tasks are destroyed. failure_of_lost_set: an exception of a task is in a set
///          that is destroyed otherwise, and was not stopped.
template <typename T = void>
class task_set : domain_affinity {
  using element = detail::task_of_set<T>;
  struct next_wait;
  class running_task;

 public:
  task_set() = default;
  task_set(const task_set&) = delete;
  task_set& operator=(const task_set&) = delete;
  ~task_set() {
    close_list(nexts_);
    while (handed_.first) handed_.remove(*handed_.first);  // who waited has it
    while (element* e = ended_.first) {
      ended_.remove(*e);
      BATON_REQUIRE(failure_of_lost_set,
                    !e->outcome.thrown || is_stopping() || detail::destroys() != 0 || detail::is_unwinding());
      e->free();
    }
  }

  /// Makes a task ready, at the tail of the queue.
  /// Errors   full: there is no memory, or the task is empty. The task has not begun.
  BATON_NODISCARD status spawn(task<T> t) {
    if (!t.has_frame()) return status::full;
    void* const memory = detail::allocate_frame(sizeof(element));
    if (!memory) return status::full;
    running_task running(*this, *::new (memory, detail::in_place()) element);
    task<void> body = detail::keep_outcome(detail::move(t), detail::move(running));
    if (!body.has_frame()) return status::full;
    all_.spawn(detail::move(body));
    return status::ok;
  }

  /// For co_await: waits until another task has ended, and gives its result, or throws what it
  /// threw. Also in `within` and `until_stop`.
  ///
  /// Context  the end of a task puts the oldest waiter at the tail of the queue, with that task's
  ///          result. A result that was given to a coroutine that is destroyed before it runs is
  ///          the next one again. A cancel or a deadline ends the wait, and takes no result.
  /// Errors   closed: the set is empty, or was destroyed.
  detail::taking<next_wait> next() noexcept { return detail::taking<next_wait>(next_wait(*this)); }

  /// The number of tasks that have not ended.
  uint32_t running() const { return running_; }
  /// The number of tasks that have not ended, or whose results have not been taken.
  uint32_t size() const { return size_; }
  bool is_empty() const { return size_ == 0; }

  /// Stops every task: each of its waits ends with `cancelled`. What the tasks then return are
  /// their results. Idempotent.
  void stop() noexcept { all_.stop(); }
  bool is_stopping() const { return all_.is_stopping(); }

  /// For co_await: waits until every task has ended. The results stay, for `next`.
  detail::join_operation join() noexcept { return all_.join_nothrow(); }

 private:
  static_assert(alignof(element) <= __BIGGEST_ALIGNMENT__, "the memory of frames is aligned for no stricter type");

  void ended(element& e) noexcept {
    this->check();
    --running_;
    if (waiter* w = nexts_.take(wait_list::receivers)) {
      handed_.push_back(e);
      *static_cast<element**>(w->slot) = &e;
      wake(w, waiter::delivered);
    } else {
      ended_.push_back(e);
    }
    close_waits_if_empty();
  }
  /// A task was destroyed before it ended.
  void lost(element& e) noexcept {
    e.free();
    --running_;
    --size_;
    close_waits_if_empty();
  }
  void close_waits_if_empty() noexcept {
    if (running_ != 0) return;
    while (waiter* w = nexts_.take(wait_list::receivers)) wake(w, static_cast<uint8_t>(status::closed));
  }

  wait_list nexts_;
  detail::ended_tasks<T> ended_;
  detail::ended_tasks<T> handed_;  // to coroutines that have not run since
  uint32_t running_ = 0;
  uint32_t size_ = 0;
  scope all_;  // the last member: its tasks end before the lists do
};

/// A task that has not ended: the parameter of the coroutine that runs it.
template <typename T>
class task_set<T>::running_task {
 public:
  running_task(task_set& s, element& e) noexcept : set_(&s), element_(&e) {
    ++s.running_;
    ++s.size_;
  }
  running_task(running_task&& other) noexcept
      : set_(other.set_), element_(detail::exchange<element*>(other.element_, nullptr)) {}
  running_task& operator=(running_task&&) = delete;
  ~running_task() {
    if (element_) set_->lost(*element_);
  }
  detail::task_outcome<T>& outcome() noexcept { return element_->outcome; }
  void end() noexcept { set_->ended(*detail::exchange<element*>(element_, nullptr)); }

 private:
  task_set* set_;
  element* element_;
};

template <typename T>
struct [[nodiscard]] task_set<T>::next_wait : list_wait {
  static constexpr bool selectable = false;
  static constexpr bool takes = true;

  explicit next_wait(task_set& s) noexcept : list_wait{&s.nexts_, wait_list::receivers, &got}, set(&s) {}
  // It is copied before it waits: nothing has been given.
  next_wait(const next_wait& o) noexcept : next_wait(*o.set) {}

  bool try_now(waiter& w) noexcept {
    set->check();
    got = set->ended_.first;
    if (!got && set->running_ != 0) return false;
    if (got) {
      set->ended_.remove(*got);
      set->handed_.push_back(*got);
    }
    w.end(got ? status::ok : status::closed);
    return true;
  }

  /// Called when the coroutine is destroyed.
  void give_back() noexcept {
    if (!got->linked_by) return baton::spi::count_dropped_value(), got->free();
    set->handed_.remove(*got);
    set->ended_.push_front(*got);
  }

  result<T> take(status how) {
    if (how != status::ok) return how;
    if (got->linked_by) {
      set->handed_.remove(*got);
      --set->size_;
    }
    struct freed_at_end {
      ~freed_at_end() { one->free(); }
      element* one;
    } const freed{got};
    return got->outcome.take();
  }

  task_set* set;
  element* got = nullptr;
};

}  // namespace baton::BATON_VARIANT::async
