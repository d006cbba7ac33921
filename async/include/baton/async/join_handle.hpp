// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/taking.hpp>

/// The result of one spawned task.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// The common part of a spawned task and its joiners. Its memory is from the pool of
/// frames, and is freed when the task is over and nobody refers to it.
///
/// A coroutine stands for the task in the scope that it was spawned in, and joins `own`, where the
/// task is alone: so a stop of that scope reaches the task, a stop of the task reaches nobody else,
/// and a task that ends on another loop is over when its origin has been told.
struct spawned_task : domain_affinity {
  using free_function = void (*)(spawned_task&) noexcept;

  spawned_task(scope& s, free_function f) noexcept : parent(&s), free(f), of_parent(*this) {}

  /// The task has ended, or was destroyed before it did.
  void end() noexcept {
    check();
    is_over = true;
    while (waiter* w = joining.take(wait_list::receivers)) wake(w, static_cast<uint8_t>(status::ok));
    if (*thrown) {
      if (references == 0) {
        parent->note_failure(*thrown);
      } else if (!parent->is_stopping()) {
        parent->token().note(of_parent);
        is_parents = true;
      }
    }
    if (references == 0) free(*this);
  }
  void let_go() noexcept {
    check();
    if (--references != 0 || !is_over) return;
    if (BATON_UNLIKELY(*thrown && is_parents)) give_to_parent();
    free(*this);
  }
  BATON_NOINLINE void give_to_parent() noexcept {
    if (of_parent.linked_by) return parent->note_failure(*thrown);
    BATON_REQUIRE(failure_of_lost_handle, destroys() != 0 || is_unwinding());
  }

  using domain_affinity::check;

  /// It is linked while the parent is there and has not stopped. A stopped one loses nothing more.
  struct node_of_parent : stop_node {
    explicit node_of_parent(spawned_task& t) noexcept : stop_node(&parent_stops), owner(&t) {}
    static void parent_stops(stop_node& n) noexcept { static_cast<node_of_parent&>(n).owner->is_parents = false; }
    spawned_task* owner;
  };

  scope own;
  wait_list joining;
  scope* parent;
  failure* thrown = nullptr;
  free_function free;
  node_of_parent of_parent;
  uint16_t references = 0;
  bool is_over = false;
  bool is_taken = false;
  bool is_parents = false;  // what the task threw, unless a join takes it
};

/// One reference of those who may join.
class spawned_reference {
 public:
  spawned_reference() noexcept = default;
  explicit spawned_reference(spawned_task& t) noexcept : of_(&t) { ++t.references; }
  spawned_reference(const spawned_reference& other) noexcept : of_(other.of_) {
    if (of_) ++of_->references;
  }
  spawned_reference(spawned_reference&& other) noexcept : of_(detail::exchange<spawned_task*>(other.of_, nullptr)) {}
  spawned_reference& operator=(spawned_reference other) noexcept {
    spawned_task* mine = of_;
    of_ = other.of_;
    other.of_ = mine;
    return *this;
  }
  ~spawned_reference() {
    if (of_) of_->let_go();
  }
  spawned_task* get() const noexcept { return of_; }

 private:
  spawned_task* of_ = nullptr;
};

/// The task's side: it says that the task is over, once.
class spawned_side {
 public:
  explicit spawned_side(spawned_task& t) noexcept : of_(&t) {}
  spawned_side(spawned_side&& other) noexcept : of_(detail::exchange<spawned_task*>(other.of_, nullptr)) {}
  spawned_side& operator=(spawned_side&&) = delete;
  ~spawned_side() {
    if (!of_) return;
    if (of_->own.running() != 0) of_->own.destroy_all();
    end();
  }
  scope& own() noexcept { return of_->own; }
  void end() noexcept { detail::exchange<spawned_task*>(of_, nullptr)->end(); }

 private:
  spawned_task* of_;
};

/// Stands for a task in the scope that it was spawned in.
inline task<void> stand_for_spawned(spawned_side side) {
  co_await side.own().join_nothrow();
  side.end();
}

template <typename T>
struct spawned_task_of : spawned_task {
  explicit spawned_task_of(scope& s) noexcept : spawned_task(s, &free_this) { thrown = &outcome.thrown; }

  static void free_this(spawned_task& t) noexcept {
    spawned_task_of* self = static_cast<spawned_task_of*>(&t);
    self->~spawned_task_of();
    free_frame(self, sizeof(spawned_task_of));
  }

  /// The owner of `keep_outcome`. The task's end is that of its scope, on the origin's thread.
  struct keeper {
    task_outcome<T>& outcome() noexcept { return *to; }
    void end() noexcept {}
    task_outcome<T>* to;
  };

  task_outcome<T> outcome;
};

/// Waits until a task is over. It may be a case of a select, which takes no result.
template <typename T>
struct join_of_spawned : list_wait {
  explicit join_of_spawned(const spawned_reference& r) noexcept
      : list_wait{r.get() ? &r.get()->joining : nullptr, wait_list::receivers, nullptr}, of(r) {}

  bool try_now(waiter& w) const noexcept {
    spawned_task* const t = of.get();
    if (!t) return w.end(status::full), true;
    t->check();
    if (!t->is_over) return false;
    w.end(status::ok);
    return true;
  }

  ended_type<T> take(status how) {
    if (how != status::ok) return how;
    if (detail::exchange(of.get()->is_taken, true)) return status::closed;
    return ended_type_of<T>::make(static_cast<spawned_task_of<T>*>(of.get())->outcome.take());
  }

  spawned_reference of;
};

}  // namespace detail

/// Stands for a task that was spawned, and gives its result.
///
///     auto h = async::spawn(workers, fetch(url));
///     async::result<page> p = co_await h.join();
///
/// Shape    a pointer; can be moved. It may be dropped: the task goes on. It may outlive the task
///          and its scope.
/// Context  the thread of the scope. What the task throws is thrown by `join`, and does not stop
///          the scope. If the handle and all joins are gone, the exception is the scope's, as that
///          of any spawned coroutine; it is dropped if the scope was stopped meanwhile.
/// Errors   an empty handle has no task, because there was no memory for it, or because the handle
///          was moved from: see `has_task()`. BATON_REQUIRE failure_of_lost_handle: the handle is
///          dropped with an exception that no join has thrown, and the scope is gone.
template <typename T = void>
class [[nodiscard]] join_handle {
 public:
  join_handle() noexcept = default;
  explicit join_handle(detail::spawned_task_of<T>& t) noexcept : of_(t) {}
  join_handle(join_handle&&) noexcept = default;
  join_handle& operator=(join_handle&&) noexcept = default;

  bool has_task() const noexcept { return of_.get() != nullptr; }

  /// True if the task has ended, or was destroyed; also for an empty handle.
  bool is_done() const noexcept { return !has_task() || of_.get()->is_over; }

  /// Stops the task alone: each of its waits ends with `cancelled`. What it then returns is its
  /// result. Idempotent.
  void stop() noexcept {
    if (has_task()) of_.get()->own.stop();
  }

  /// For co_await: waits until the task is over, and gives its result, or throws what it threw.
  /// Also in `within`, in `until_stop`, and as a case of a `select`, after which the join is
  /// awaited for the result.
  ///
  /// Shape    `result<T>`; a status, if the task gives one.
  /// Context  the end of the task puts the caller at the tail of the queue. A cancel or a deadline
  ///          ends the join, and the task goes on. The result is given once.
  /// Errors   full: the handle is empty. closed: another join has taken the result. peer_gone: the
  ///          task was destroyed before it ended.
  detail::taking<detail::join_of_spawned<T>> join() const noexcept {
    return detail::taking<detail::join_of_spawned<T>>(of_);
  }

 private:
  detail::spawned_reference of_;
};

/// Begins a task in a scope, as `scope::spawn`, and gives a handle for its result.
///
/// Context  the task is at the tail of the queue, behind a coroutine that stands for it in the
///          scope.
/// Cost     two frames besides the task's own, and memory for the result from the pool of frames.
/// Errors   the handle is empty: there is no memory, or the task is empty. The task has not begun.
template <typename T>
join_handle<T> spawn(scope& parent, task<T> t) {
  using shared = detail::spawned_task_of<T>;
  static_assert(alignof(shared) <= __BIGGEST_ALIGNMENT__, "the memory of frames is aligned for no stricter type");
  if (!t.has_frame()) return {};
  void* const memory = detail::allocate_frame(sizeof(shared));
  if (!memory) return {};
  shared* const made = ::new (memory, detail::in_place()) shared(parent);
  join_handle<T> handle(*made);
  task<void> body = detail::keep_outcome(detail::move(t), typename shared::keeper{&made->outcome});
  task<void> standing = detail::stand_for_spawned(detail::spawned_side(*made));
  if (!body.has_frame() || !standing.has_frame()) return {};
  parent.spawn(detail::move(standing));
  made->own.spawn(detail::move(body));
  return handle;
}

}  // namespace baton::BATON_VARIANT::async
