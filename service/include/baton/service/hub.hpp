// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <baton/service/completion.hpp>
#include <baton/service/subscriber.hpp>
#include <utility>
#include <vector>

/// Brings the events of a home to their handlers.
namespace baton::service::detail {

class registry;

/// What a home's registry does for its hub.
async::scope& scope_for(hub&, entry* owner);
void note_failure(hub&, entry* owner, std::exception_ptr why) noexcept;

/// What happens to events of one type.
struct event_row {  // 64 bytes
  using act_function = void (*)(hub&, record&, void* event);

  act_function act = nullptr;  // in place of its handlers: its own, or that of interceptors
  void (*destroy)(void*) noexcept = nullptr;
  subscriber_list handlers;
  subscriber_list before;
  subscriber_list after;
};

/// The queue and the handlers of a home.
///
/// Shape    events in bands of priority, handlers in a row a type. A job that stands in its loop's ready queue while there are events.
/// Context  its home's thread, also before that runs. A handler may push, register, and end any registration, its own included.
/// Cost     bench/suites/service: event_steady, event_drain, event_handler.
class hub : job {
 public:
  /// Events between two looks at what else is ready. A loop looks at its timers after at most `turn` jobs.
  static constexpr unsigned batch = 32;

  hub() noexcept : job(&run) {}
  hub(const hub&) = delete;
  hub& operator=(const hub&) = delete;
  ~hub() {
    drop_all();
    for (event_row& w : rows_) {
      for (subscriber_list* l : {&w.handlers, &w.before, &w.after}) mute_all(*l);
    }
    mute_all(any_before_);
    mute_all(any_after_);
  }

  void limit_to(queue_limit l) noexcept {
    most_ = l.events < unlimited ? l.events : unlimited;
    overflow_ = l.overflow;
  }

  /// Puts an event behind those of its priority.
  template <typename Event>
  BATON_INLINE status push(uint32_t origin, priority p, Event&& event) {
    using type = std::remove_cvref_t<Event>;
    static_assert(std::is_nothrow_move_constructible_v<type>, "an event's move constructor does not throw");
    if (BATON_UNLIKELY(pushed_ - taken_ >= most_)) {
      if (!make_room()) return is_closed_ ? status::closed : status::full;
    }
    constexpr uint32_t bytes = sizeof(record) + (std::is_empty_v<type> ? 0 : (sizeof(type) + 7) / 8 * 8);
    const event_id id = id_of_event<type>;
    if (BATON_UNLIKELY(id >= row_count_)) grow(id);  // the row that it needs when it is handled
    record* const r = bands_.put(static_cast<unsigned>(p), bytes);
    r->type = id;
    r->size = static_cast<uint16_t>(bytes);
    r->origin = origin;
    r->number = ++pushed_;
    ::new (r->event()) type(std::forward<Event>(event));
    if (BATON_UNLIKELY(!is_queued_)) queue();
    return status::ok;
  }

  /// Its loop runs from now on, on this thread.
  void begin() {
    is_queued_ = false;
    if (!bands_.is_empty()) queue();
  }
  /// Refuses events from now on, and drops those that wait; how many. Whoever waits for one of them is told.
  uint64_t close() noexcept {
    is_closed_ = true;
    const uint64_t dropped = drop_all();
    most_ = 0;
    return dropped;
  }

  /// Drops what waits, and counts it.
  uint64_t drop_all() noexcept {
    const uint64_t before = dropped();
    while (!is_empty()) drop_one();
    return dropped() - before;
  }

  uint64_t pushed() const noexcept { return pushed_; }
  uint64_t handled() const noexcept { return taken_; }
  uint64_t dropped() const noexcept { return dropped_ - own_dropped_; }
  uint64_t waiting() const noexcept { return pushed_ - taken_ - dropped_; }
  bool is_empty() const noexcept { return waiting() == 0; }
  bool is_closed() const noexcept { return is_closed_; }

  /// ---- Handlers ----

  void add_handler(event_id of, subscriber& s, entry* owner) { add(row(of).handlers, s, owner); }
  void add_before(event_id of, subscriber& s, entry* owner) { add_interceptor(row(of).before, of, s, owner); }
  void add_after(event_id of, subscriber& s, entry* owner) { add_interceptor(row(of).after, of, s, owner); }
  void add_before_any(subscriber& s, entry* owner) { add_to_any(any_before_, s, owner); }
  void add_after_any(subscriber& s, entry* owner) { add_to_any(any_after_, s, owner); }

  /// By `unsubscribe`.
  void remove(subscriber& s) noexcept {
    s.list->remove(s);
    if (current_ == &s) {
      place_.next = s.next;
      place_.owner = s.owner;
      current_ = &place_;
    } else if (current_ == &place_ && place_.next == &s) {
      place_.next = s.next;
    }
    s.at = nullptr;
    if (is_handling_) {  // its own function may be running
      s.keep();
      s.owners_next = buried_;
      buried_ = &s;
      has_left_over_ = true;
    }
  }

  /// Calls the handlers of an event, with its interceptors. For the acts of events that are wrapped in another.
  BATON_INLINE uint32_t handle(event_row& w, record& r, void* event) {
    if (w.act) {
      w.act(*this, r, event);
      return counted_;
    }
    return walk(w.handlers, r, event);
  }
  event_row& row(event_id of) {
    if (BATON_UNLIKELY(of >= row_count_)) grow(of);
    return rows_[of];
  }

  /// A function is run for a service: what it throws is that one's failure.
  void runs_for(entry* owner) noexcept {
    place_.owner = owner;
    current_ = &place_;
  }

  /// The services of the same home.
  registry* services = nullptr;
  /// The completion that the event which is being handled belongs to; null: nobody waits for it.
  completion* awaited = nullptr;
  /// An interceptor stopped the event that was handled last.
  bool was_stopped = false;

 private:
  BATON_OUTLINE void grow(event_id id) {
    const size_t before = rows_.size();
    rows_.resize(size_t{id} + 1);
    row_count_ = rows_.size();
    for (event_row& w : rows_) {
      for (subscriber_list* l : {&w.handlers, &w.before, &w.after}) {
        for (subscriber* s = l->first; s; s = s->next) s->list = l;
      }
    }
    for (size_t i = before; i != rows_.size(); ++i) {
      const event_type& t = event_numbers::type(static_cast<event_id>(i));
      rows_[i].destroy = t.destroy;
      rows_[i].act = t.act || (!any_before_.first && !any_after_.first) ? t.act : &intercepted;
    }
  }

  BATON_OUTLINE void queue() {
    is_queued_ = true;
    ready::push(this);
  }

  static point run(job* j, point) {
    hub& h = *static_cast<hub*>(j);
    if (BATON_LIKELY(!h.bands_.is_empty())) {
      h.run_batch();
      return 0;  // it leaves when it finds nothing: what it made ready mostly pushes more
    }
    ready::leave(&h);
    h.next = nullptr;
    h.is_queued_ = false;
    return parked;
  }

  BATON_INLINE void run_batch() {
    unsigned band = 0;
    record* r = nullptr;
    is_handling_ = true;
    try {
      for (unsigned left = batch; left != 0 && !bands_.is_empty(); --left) {
        r = bands_.take(band);
        ++taken_;
        event_row& w = rows_[r->type];
        const auto destroy = w.destroy;
        if (BATON_LIKELY(!w.act)) {
          walk(w.handlers, *r, r->event());
        } else {
          w.act(*this, *r, r->event());
        }
        if (destroy) destroy(r->event());
        bands_.done_with(band);
      }
    } catch (...) {
      handler_threw(*r, band);
    }
    is_handling_ = false;
    if (BATON_UNLIKELY(has_left_over_)) forget_left_over();
  }

  BATON_INLINE uint32_t walk(const subscriber_list& l, record& r, void* event) {
    uint32_t n = 0;
    for (subscriber* s = l.first; s && s->since != taken_; s = current_->next, ++n) {
      current_ = s;
      s->call(*s, r, event);
    }
    return n;
  }

  BATON_OUTLINE void handler_threw(record& r, unsigned band) noexcept {
    note_failure(*this, current_ ? current_->owner : nullptr, std::current_exception());
    if (const auto destroy = rows_[r.type].destroy) destroy(r.event());
    bands_.done_with(band);
  }

  BATON_OUTLINE void forget_left_over() noexcept {
    has_left_over_ = false;
    bands_.release();
    while (subscriber* s = buried_) {
      buried_ = s->owners_next;
      s->drop();
    }
    current_ = nullptr;
  }

  /// ---- Overflow, and the end ----

  BATON_OUTLINE bool make_room() noexcept {
    if (is_closed_ || overflow_ == overflow::reject || is_empty()) return false;
    drop_one();
    return true;
  }

  void drop_one() noexcept {
    unsigned band = 0;
    record* const r = bands_.take_lowest(band);
    ++dropped_;
    if (event_numbers::type(r->type).is_own) ++own_dropped_;
    ++most_;
    if (const auto destroy = rows_[r->type].destroy) destroy(r->event());
    if (is_handling_) {
      bands_.done_with_lowest(band);
      has_left_over_ = true;
    } else {
      bands_.done_with(band);
    }
  }

  /// ---- Interceptors ----

  void add(subscriber_list& to, subscriber& s, entry* owner) noexcept {
    s.at = this;
    s.since = is_handling_ ? taken_ : never;
    s.owner = owner;
    to.push(s);
  }
  void add_interceptor(subscriber_list& to, event_id of, subscriber& s, entry* owner) {
    add(to, s, owner);
    rows_[of].act = &intercepted;
  }
  void add_to_any(subscriber_list& to, subscriber& s, entry* owner) {
    add(to, s, owner);
    for (event_row& w : rows_) {
      if (!w.act) w.act = &intercepted;
    }
  }

  /// Interceptors before, first the event's own; then handlers; then those after, in the opposite order.
  static void intercepted(hub& h, record& r, void* event) {
    h.was_stopped = false;
    h.counted_ = 0;
    h.walk_before(h.rows_[r.type].before, r, event);
    if (!h.was_stopped) h.walk_before(h.any_before_, r, event);
    if (!h.was_stopped) h.counted_ = h.walk(h.rows_[r.type].handlers, r, event);
    h.walk_back(h.any_after_, r, event);
    h.walk_back(h.rows_[r.type].after, r, event);
  }
  void walk_before(const subscriber_list& l, record& r, void* event) {
    for (subscriber* s = l.first; s && s->since != taken_ && !was_stopped; s = current_->next) {
      current_ = s;
      s->call(*s, r, event);
    }
  }
  /// Collected first: one of them may end others.
  void walk_back(const subscriber_list& l, record& r, void* event) {
    std::vector<subscriber*> backwards;
    for (subscriber* s = l.last; s; s = s->before) {
      if (s->since != taken_) backwards.push_back(s);
    }
    for (subscriber* s : backwards) {
      if (!s->at) continue;
      current_ = s;
      s->call(*s, r, event);
    }
  }

  static void mute_all(subscriber_list& l) noexcept {
    while (subscriber* s = l.first) {
      l.remove(*s);
      s->at = nullptr;
    }
  }

  static constexpr uint64_t never = ~uint64_t{0};
  static constexpr uint64_t unlimited = uint64_t{1} << 62;

  event_bands bands_;
  uint64_t pushed_ = 0;
  uint64_t taken_ = 0;
  uint64_t most_ = queue_limit{}.events;  // and those that were dropped
  std::vector<event_row> rows_;
  size_t row_count_ = 0;
  subscriber* current_ = nullptr;
  bool is_queued_ = true;  // until it begins, nobody queues it
  bool is_handling_ = false;
  bool has_left_over_ = false;  // what was removed or dropped while an event was handled
  bool is_closed_ = false;
  service::overflow overflow_ = overflow::reject;
  uint32_t counted_ = 0;
  uint64_t dropped_ = 0;
  uint64_t own_dropped_ = 0;
  subscriber* buried_ = nullptr;
  subscriber place_{nullptr, nullptr};  // of one that was removed while its function ran
  subscriber_list any_before_;
  subscriber_list any_after_;
};

inline void unsubscribe(subscriber& s) noexcept {
  if (s.owners_link) {
    *s.owners_link = s.owners_next;
    if (s.owners_next) s.owners_next->owners_link = s.owners_link;
    s.owners_link = nullptr;
  }
  if (s.at) s.at->remove(s);
}

}  // namespace baton::service::detail
