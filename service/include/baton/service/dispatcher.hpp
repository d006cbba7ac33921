// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <baton/service/completion.hpp>
#include <baton/service/subscriber.hpp>
#include <utility>
#include <vector>

/// Brings an event to those who hear it.
namespace baton::BATON_VARIANT::service::detail {

class registry;

/// What a worker's registry does for its events.
async::scope& scope_for(dispatcher&, service_record* owner);
void note_failure(dispatcher&, service_record* owner, std::exception_ptr why) noexcept;

/// What happens to events of one type.
struct event_row {  // 64 bytes
  using act_function = void (*)(dispatcher&, event_header&, void* event);

  act_function act = nullptr;  // in place of its handlers: its own, or that of interceptors
  void (*destroy)(void*) noexcept = nullptr;
  subscriber_list handlers;
  subscriber_list before;
  subscriber_list after;
};

/// Who hears which events of a worker.
///
/// Shape    a row a type: its handlers, its interceptors.
/// Context  its worker's thread, also before that runs. A handler may push, register, and end any registration, its own included.
class dispatcher {
 public:
  dispatcher() = default;
  dispatcher(const dispatcher&) = delete;
  dispatcher& operator=(const dispatcher&) = delete;

  void add_handler(event_id of, subscriber& s, service_record* owner) { add(row(of).handlers, s, owner); }
  void add_before(event_id of, subscriber& s, service_record* owner) { add_interceptor(row(of).before, of, s, owner); }
  void add_after(event_id of, subscriber& s, service_record* owner) { add_interceptor(row(of).after, of, s, owner); }
  void add_before_any(subscriber& s, service_record* owner) { add_to_any(any_before_, s, owner); }
  void add_after_any(subscriber& s, service_record* owner) { add_to_any(any_after_, s, owner); }

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
      s.owners_next = removed_;
      removed_ = &s;
      has_left_over_ = true;
    }
  }

  /// Calls the handlers of an event, with its interceptors. For the acts of events that are wrapped in another.
  BATON_INLINE uint32_t handle(event_row& w, event_header& r, void* event) {
    if (w.act) {
      w.act(*this, r, event);
      return counted_;
    }
    return walk(w.handlers, r, event);
  }
  event_row& row(event_id of) {
    need_row(of);
    return rows_[of];
  }

  /// A function is run for a service: what it throws is that one's failure.
  void runs_for(service_record* owner) noexcept {
    place_.owner = owner;
    current_ = &place_;
  }

  /// Events whose turn it was, and that which is being handled.
  uint64_t handled() const noexcept { return handled_; }

  /// The services of the same worker.
  registry* services = nullptr;
  /// The completion that the event which is being handled belongs to; null: nobody waits for it.
  completion* awaited = nullptr;
  /// An interceptor stopped the event that was handled last.
  bool was_stopped = false;

 protected:
  ~dispatcher() {
    for (event_row& w : rows_) {
      for (subscriber_list* l : {&w.handlers, &w.before, &w.after}) mute_all(*l);
    }
    mute_all(any_before_);
    mute_all(any_after_);
  }

  /// There is a row for events of this type.
  BATON_INLINE void need_row(event_id id) {
    if (BATON_UNLIKELY(id >= row_count_)) grow(id);
  }

  /// It is an event's turn. What a handler throws is for `handler_threw`.
  BATON_INLINE void dispatch(event_header& r) {
    ++handled_;
    event_row& w = rows_[r.type];
    const auto destroy = w.destroy;
    if (BATON_LIKELY(!w.act)) {
      walk(w.handlers, r, r.event());
    } else {
      w.act(*this, r, r.event());
    }
    if (destroy) destroy(r.event());
  }
  BATON_NOINLINE void handler_threw(event_header& r) noexcept {
    note_failure(*this, current_ ? current_->owner : nullptr, std::current_exception());
    destroy_event(r);
  }
  void destroy_event(event_header& r) noexcept {
    if (const auto destroy = rows_[r.type].destroy) destroy(r.event());
  }

  /// No event is being handled: what was removed meanwhile goes.
  void reclaim_removed() noexcept {
    has_left_over_ = false;
    while (subscriber* s = removed_) {
      removed_ = s->owners_next;
      s->drop();
    }
    current_ = nullptr;
  }

  uint64_t handled_ = 0;
  bool is_handling_ = false;
  bool has_left_over_ = false;  // what was removed or dropped while an event was handled

 private:
  BATON_NOINLINE void grow(event_id id) {
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

  BATON_INLINE uint32_t walk(const subscriber_list& l, event_header& r, void* event) {
    uint32_t n = 0;
    for (subscriber* s = l.first; s && s->since != handled_; s = current_->next, ++n) {
      current_ = s;
      s->call(*s, r, event);
    }
    return n;
  }

  void add(subscriber_list& to, subscriber& s, service_record* owner) noexcept {
    s.at = this;
    s.since = is_handling_ ? handled_ : never;
    s.owner = owner;
    to.push(s);
  }
  void add_interceptor(subscriber_list& to, event_id of, subscriber& s, service_record* owner) {
    add(to, s, owner);
    rows_[of].act = &intercepted;
  }
  void add_to_any(subscriber_list& to, subscriber& s, service_record* owner) {
    add(to, s, owner);
    for (event_row& w : rows_) {
      if (!w.act) w.act = &intercepted;
    }
  }

  /// Interceptors before, first the event's own; then handlers; then those after, in the opposite order.
  static void intercepted(dispatcher& d, event_header& r, void* event) {
    d.was_stopped = false;
    d.counted_ = 0;
    d.walk_before(d.rows_[r.type].before, r, event);
    if (!d.was_stopped) d.walk_before(d.any_before_, r, event);
    if (!d.was_stopped) d.counted_ = d.walk(d.rows_[r.type].handlers, r, event);
    d.walk_back(d.any_after_, r, event);
    d.walk_back(d.rows_[r.type].after, r, event);
  }
  void walk_before(const subscriber_list& l, event_header& r, void* event) {
    for (subscriber* s = l.first; s && s->since != handled_ && !was_stopped; s = current_->next) {
      current_ = s;
      s->call(*s, r, event);
    }
  }
  /// Collected first: one of them may end others.
  void walk_back(const subscriber_list& l, event_header& r, void* event) {
    std::vector<subscriber*> backwards;
    for (subscriber* s = l.last; s; s = s->before) {
      if (s->since != handled_) backwards.push_back(s);
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

  std::vector<event_row> rows_;
  size_t row_count_ = 0;
  subscriber* current_ = nullptr;
  uint32_t counted_ = 0;
  subscriber* removed_ = nullptr;
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

}  // namespace baton::BATON_VARIANT::service::detail
