// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/async/mailbox.hpp>
#include <baton/core/scheduler.hpp>
#include <baton/service/event_queue.hpp>
#include <baton/service/short_wait.hpp>
#include <baton/service/thread_lanes.hpp>
#include <baton/service/wrapped_events.hpp>
#include <memory>
#include <mutex>
#include <new>

/// Events from other threads.
namespace baton::BATON_VARIANT::service::detail {

/// The way for other threads to post events to a worker.
///
/// Shape    a lane for each thread that posts. While lanes have events, a job of the worker's loop
///          takes them out: it handles them where they lie if the queue is empty and all posted
///          events have one priority, and otherwise moves them into the queue. At most as many
///          events of a thread are on their way as the queue holds; those that find the queue full
///          stay on their way.
/// Context  `post` any thread, as long as the application lives; first in, first out for each
///          thread. An event that is posted before the worker runs waits for it. The worker's
///          thread calls the other functions.
/// Cost     bench/suites/service: cross_loop. A compare-and-swap only for an event that the worker
///          does not wait for; a lane takes 4 KiB, and more while events wait in it.
/// Errors   full: too many events of this thread are on their way. closed: the worker has ended. An
///          event that arrives at a closed queue is counted in `lost`.
class event_mailbox : job {
 public:
  explicit event_mailbox(event_queue& q) : job(&run), to_(q) {}
  event_mailbox(const event_mailbox&) = delete;
  event_mailbox& operator=(const event_mailbox&) = delete;
  ~event_mailbox() {
    close_lanes(&drop);
    while (all_) std::exchange(all_, all_->next)->forget();
  }

  /// Errors   std::bad_alloc: nothing has happened.
  template <typename Event>
  status post(Event event, priority p) {
    if constexpr (!lies_in_queue<Event>) {
      return post(boxed<Event>{std::make_unique<Event>(std::move(event))}, p);
    } else {
      event_lane* const l = thread_lanes::find(id_);
      if (BATON_LIKELY(l != nullptr)) return l->post(std::move(event), p);
      return post_first(std::move(event), p);
    }
  }

  void limit_to(uint64_t events) noexcept { most_ = events; }
  const async::loop_handle& handle() const noexcept { return handle_; }
  /// The number of posted events that the queue refused. After the loop has ended.
  uint64_t lost() const noexcept { return lost_; }

  /// Moves the events into the queue whose posts have returned, as far as it has room. false: an
  /// event is being handled in its lane, and has to end first.
  bool queue_all() {
    if (is_taking_) return false;
    const uint32_t most = static_cast<uint32_t>(most_ < ~uint32_t{0} ? most_ : ~uint32_t{0});
    each_watched([this, most](event_lane& l) { queue(l, most); });
    return true;
  }

  /// Refuses events from then on; those that were posted before are lost and counted.
  /// Context  the worker's loop still takes messages; the queue is closed.
  void close() {
    close_lanes([this](posted_event& e, const posted_type& t) { return t.queue(e, *this); });
    newest_watched_ = nullptr;
    if (std::exchange(is_queued_, false)) ready::remove(this);
  }

 private:
  friend class event_lane;

  /// The events that are put into the queue between two looks at the other lanes.
  static constexpr uint32_t most_unordered = 256;

  /// The handle of the loop that the worker will run; std::bad_alloc: there is no memory.
  static async::loop_handle new_handle() {
    async::mailbox* const made = async::mailbox::try_make();
    if (!made) throw std::bad_alloc();
    const async::loop_handle handle(*made);
    made->forget();
    return handle;
  }

  /// ---- Any thread ----

  /// Posts on a new lane.
  template <typename Event>
  BATON_NOINLINE status post_first(Event event, priority p) {
    event_lane* const l = new event_lane(*this, id_, handle_, most_);
    if (!join(*l)) {
      l->forget();
      l->forget();
      return status::closed;
    }
    const struct use {
      ~use() {
        if (!is_kept) lane->leave();
      }
      event_lane* lane;
      bool is_kept;
    } own{l, thread_lanes::keep(*l)};
    return l->post(std::move(event), p);
  }

  /// Makes a lane known to the worker. false: the worker has ended.
  bool join(event_lane& l) noexcept {
    const std::lock_guard<std::mutex> hold(lock_);
    if (is_closed_) return false;
    l.next = all_;
    if (all_) all_->before = &l;
    all_ = &l;
    return true;
  }

  static uint64_t next_id() noexcept {
    static std::atomic<uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  /// ---- The worker's thread ----

  /// Called by the loop when a sender has announced a lane.
  void watch(event_lane& l) noexcept {
    l.next_watched = newest_watched_ ? std::exchange(newest_watched_->next_watched, &l) : &l;
    newest_watched_ = &l;
    wait_.begin_again();
    if (!std::exchange(is_queued_, true)) ready::push(this);
  }

  /// Calls `f(lane)` for each watched lane.
  template <typename Function>
  void each_watched(Function f) {
    event_lane* l = newest_watched_;
    if (!l) return;
    do f(*(l = l->next_watched));
    while (l != newest_watched_);
  }

  static point run(job* j, point) {
    event_mailbox& m = *static_cast<event_mailbox*>(j);
    if (BATON_LIKELY(m.take())) {
      m.wait_.begin_again();
      return 0;
    }
    const bool is_alone = domain::tail() == j;
    if (is_alone ? m.wait_.look([&m] { return m.has_any(); }) : m.wait_.look_in_passing()) return 0;
    m.stop_watching();
    if (m.newest_watched_) return 0;
    m.handle_.mailbox().has_looked();
    ready::leave(&m);
    m.next = nullptr;
    m.is_queued_ = false;
    return suspended;
  }

  /// Takes events from the lanes, each of them in turn the first. false: there was none.
  ///
  /// While all events have one priority, they are handled where they lie, unless others wait in the
  /// queue. Otherwise all are put into the queue, which orders them.
  BATON_INLINE bool take() {
    uint32_t levels = 0;
    each_watched([&levels](event_lane& l) { levels |= l.levels(); });
    const bool are_equal = (levels & (levels - 1)) == 0;
    uint32_t left = event_queue::batch;
    bool any = false;
    each_watched([&](event_lane& l) {
      const bool is_first = to_.is_idle() && !to_.is_closed();
      if (!are_equal) {
        any |= queue(l, most_unordered) != 0;
      } else if (left != 0) {
        const uint32_t taken = is_first ? handle(l, left) : queue(l, left);
        any |= taken != 0;
        left -= taken;
      }
    });
    if (newest_watched_) newest_watched_ = newest_watched_->next_watched;
    return any || (!to_.is_idle() && has_any());  // those that found the queue full are taken later
  }

  uint32_t handle(event_lane& l, uint32_t at_most) {
    is_taking_ = true;
    const uint32_t taken = l.take(at_most, [this](posted_event& e, const posted_type& t) {
      if (!to_.is_idle()) return false;
      if (BATON_UNLIKELY(!to_.has_row(*t.id))) return t.queue(e, *this);  // there may be no memory for a row
      to_.handle_in_place(*t.id, e.event());
      return true;
    });
    is_taking_ = false;
    return taken;
  }
  uint32_t queue(event_lane& l, uint32_t at_most) {
    return l.take(at_most, [this](posted_event& e, const posted_type& t) { return t.queue(e, *this); });
  }

  /// Without memory an event is lost as in a closed queue, because its sender has gone on.
  template <typename Event>
  BATON_NOINLINE status queue_event(priority p, Event&& event) {
    status queued = status::closed;
    try {
      queued = to_.push(0, p, std::forward<Event>(event));
    } catch (const std::bad_alloc&) {
    }
    if (queued == status::closed && !type_of_event<Event>.is_own) ++lost_;
    return queued;
  }

  bool has_any() noexcept {
    bool any = false;
    each_watched([&any](const event_lane& l) { any |= l.has_any(); });
    return any;
  }

  void stop_watching() noexcept {
    event_lane* l = newest_watched_ ? std::exchange(newest_watched_->next_watched, nullptr) : nullptr;
    newest_watched_ = nullptr;
    while (l) {
      event_lane& e = *l;
      l = e.next_watched;
      if (e.is_over()) {
        part(e);
      } else if (!e.stop_watching()) {
        watch(e);
      }
    }
  }

  /// Forgets a lane whose sender has left.
  void part(event_lane& l) noexcept {
    {
      const std::lock_guard<std::mutex> hold(lock_);
      if (l.next) l.next->before = l.before;
      (l.before ? l.before->next : all_) = l.next;
    }
    l.forget();
  }

  static bool drop(posted_event& e, const posted_type& t) noexcept {
    t.destroy(e);
    return true;
  }

  template <typename Use>
  void close_lanes(Use use) {
    event_lane* first = nullptr;
    {
      const std::lock_guard<std::mutex> hold(lock_);
      is_closed_ = true;
      first = all_;
    }
    for (event_lane* l = first; l; l = l->next) {
      for (uint64_t left = l->close(); left != 0;) {
        left -= l->take(static_cast<uint32_t>(left), use);
      }
    }
  }

  // Read by every thread.
  event_queue& to_;
  const uint64_t id_ = next_id();
  const async::loop_handle handle_ = new_handle();
  uint64_t most_ = queue_limit{}.events;

  // The worker's.
  [[maybe_unused]] alignas(8) std::byte apart_[64];
  event_lane* newest_watched_ = nullptr;  // the tail of a ring
  uint64_t lost_ = 0;
  short_wait wait_;
  bool is_queued_ = false;
  bool is_taking_ = false;  // from a lane, in which events are handled

  std::mutex lock_;
  event_lane* all_ = nullptr;
  bool is_closed_ = false;
};

template <typename Event>
bool event_lane::into_queue(posted_event& e, event_mailbox& to) {
  if (to.queue_event(e.level(), std::move(*static_cast<Event*>(e.event()))) == status::full) return false;
  destroy<Event>(e);
  return true;
}

inline void event_lane::arrive(void* self) {
  event_lane& l = *static_cast<event_lane*>(self);
  if (!l.is_closed()) l.receiver.watch(l);
}

}  // namespace baton::BATON_VARIANT::service::detail
