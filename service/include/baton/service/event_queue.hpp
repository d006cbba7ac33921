// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/spi/next_chain.hpp>
#include <baton/core/scheduler.hpp>
#include <baton/service/dispatcher.hpp>
#include <utility>

/// Keeps the events of a worker in order until their turn.
namespace baton::BATON_VARIANT::service::detail {

/// The queue of a worker, and the job that empties it.
///
/// Shape    events by levels of priority. The job stands in its loop's ready queue while there are
///          events.
/// Context  its worker's thread, also before that runs. A handler may push, register, and end any
///          registration, its own included.
/// Cost     bench/suites/service: event_steady, event_drain, event_handler.
class event_queue : public dispatcher, job {
 public:
  /// The number of events between two looks at other ready jobs. A loop looks at its timers after
  /// at most `turn` jobs.
  static constexpr unsigned batch = 32;

  event_queue() noexcept : job(&run) {}
  event_queue(const event_queue&) = delete;
  event_queue& operator=(const event_queue&) = delete;
  ~event_queue() { drop_all(); }

  void limit_to(queue_limit l) noexcept {
    most_ = l.events < unlimited ? l.events : unlimited;
    overflow_ = l.overflow;
  }

  /// Puts an event behind those of its priority. A copy that may throw is made first: an event that
  /// is in the queue is whole.
  template <typename Event>
  BATON_INLINE status push(uint32_t origin, priority p, Event&& event) {
    using type = std::remove_cvref_t<Event>;
    static_assert(std::is_nothrow_move_constructible_v<type>, "an event's move constructor does not throw");
    if constexpr (!std::is_nothrow_constructible_v<type, Event>) {
      return push(origin, p, type(std::forward<Event>(event)));
    }
    if (BATON_UNLIKELY(pushed_ - handled_ >= most_)) {
      if (!make_room()) return is_closed_ ? status::closed : status::full;
    }
    constexpr uint32_t bytes = sizeof(event_header) + (std::is_empty_v<type> ? 0 : (sizeof(type) + 7) / 8 * 8);
    const event_id id = id_of_event<type>;
    need_row(id);
    event_header* const r = levels_.put(static_cast<unsigned>(p), bytes);
    r->type = id;
    r->size = static_cast<uint16_t>(bytes);
    r->origin = origin;
    r->number = ++pushed_;
    ::new (r->event()) type(std::forward<Event>(event));
    if (BATON_UNLIKELY(!is_queued_)) queue();
    return status::ok;
  }

  /// Handles an event where it lies, as if it was pushed and its turn came, and destroys it. The
  /// queue is idle and open, and there is a row for the type.
  BATON_INLINE void handle_in_place(event_id type, void* event) {
    event_header header{type, sizeof header, 0, ++pushed_};
    is_handling_ = true;
    try {
      dispatch(header, event);
    } catch (...) {
      handler_threw(type, event);
    }
    is_handling_ = false;
    if (BATON_UNLIKELY(has_left_over_)) forget_left_over();
  }

  /// Starts handling events. The loop of this thread is the worker's.
  void begin() {
    is_queued_ = false;
    if (!levels_.is_empty()) queue();
  }
  /// Refuses events from here on, and drops those that wait; their senders' waits end. Returns the
  /// number of dropped events.
  uint64_t close() noexcept {
    is_closed_ = true;
    const uint64_t dropped = drop_all();
    most_ = 0;
    return dropped;
  }

  /// Drops all waiting events and counts them.
  uint64_t drop_all() noexcept {
    const uint64_t before = dropped();
    while (!is_empty()) drop_one();
    return dropped() - before;
  }

  uint64_t pushed() const noexcept { return pushed_; }
  uint64_t dropped() const noexcept { return dropped_ - own_dropped_; }
  uint64_t waiting() const noexcept { return pushed_ - handled_ - dropped_; }
  bool is_empty() const noexcept { return waiting() == 0; }
  /// True if no event waits, and none is being handled that waited.
  bool is_idle() const noexcept { return levels_.is_empty(); }
  bool is_closed() const noexcept { return is_closed_; }

 private:
  BATON_NOINLINE void queue() {
    is_queued_ = true;
    ready::push(this);
  }

  static point run(job* j, point) {
    event_queue& q = *static_cast<event_queue*>(j);
    if (BATON_LIKELY(!q.levels_.is_empty())) return q.run_batch();
    ready::leave(&q);
    q.next = nullptr;
    q.is_queued_ = false;
    return suspended;
  }

  /// Handles events. A coroutine that they made ready runs in between, where nothing else is ready.
  /// The job stays ready: it leaves at its next run, if that finds no event, because mostly its
  /// handlers push more.
  BATON_INLINE point run_batch() {
    unsigned left = batch;
    for (;;) {
      left = handle_waiting(left);
      if (left == 0 || !async::spi::yield_to_next_chain(*this)) return 0;
      if (BATON_UNLIKELY(!ready::is_head(this))) return suspended;
      if (levels_.is_empty()) return 0;
    }
  }

  /// Handles events until none waits, at most `left`; returns what is left of them.
  BATON_INLINE unsigned handle_waiting(unsigned left) {
    unsigned level = 0;
    event_header* r = nullptr;
    is_handling_ = true;
    try {
      for (; left != 0 && !levels_.is_empty(); --left) {
        r = levels_.take(level);
        dispatch(*r, r->event());
        levels_.done_with(level);
      }
    } catch (...) {
      handler_threw(r->type, r->event());
      levels_.done_with(level);
    }
    is_handling_ = false;
    if (BATON_UNLIKELY(has_left_over_)) forget_left_over();
    return left;
  }

  BATON_NOINLINE void forget_left_over() noexcept {
    levels_.release();
    reclaim_removed();
  }

  /// ---- Overflow, and the end ----

  BATON_NOINLINE bool make_room() noexcept {
    if (is_closed_ || overflow_ == overflow::reject || is_empty()) return false;
    drop_one();
    return true;
  }

  void drop_one() noexcept {
    unsigned level = 0;
    event_header* const r = levels_.take_lowest(level);
    ++dropped_;
    if (event_numbers::type(r->type).is_own) ++own_dropped_;
    ++most_;
    destroy_event(r->type, r->event());
    if (is_handling_) {
      levels_.done_with_lowest(level);
      has_left_over_ = true;
    } else {
      levels_.done_with(level);
    }
  }

  static constexpr uint64_t unlimited = uint64_t{1} << 62;

  priority_levels levels_;
  uint64_t pushed_ = 0;
  uint64_t most_ = queue_limit{}.events;  // the queue's limit, plus the dropped events
  bool is_queued_ = true;                 // true before `begin`, so that no push queues the job
  bool is_closed_ = false;
  service::overflow overflow_ = overflow::reject;
  uint64_t dropped_ = 0;
  uint64_t own_dropped_ = 0;
};

}  // namespace baton::BATON_VARIANT::service::detail
