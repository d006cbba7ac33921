// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <baton/async/essentials.hpp>
#include <baton/service/completion.hpp>
#include <baton/service/subscriber.hpp>
#include <utility>
#include <vector>

/// Brings an event to its handlers.
namespace baton::BATON_VARIANT::service::detail {

class registry;

/// The events' way to the worker's registry.
async::scope& scope_for(dispatcher&, service_record* owner);
void note_failure(dispatcher&, service_record* owner, std::exception_ptr why) noexcept;

/// The handlers and interceptors of one type of event.
struct event_row {  // 64 bytes
  using act_function = void (*)(dispatcher&, event_header&, void* event);

  act_function act = nullptr;  // called in place of the handlers: the type's own act, or `intercepted`
  void (*destroy)(void*) noexcept = nullptr;
  subscriber_list handlers;
  subscriber_list before;
  subscriber_list after;
};

/// The handlers and interceptors of all events of a worker.
///
/// Shape    a row per type: its handlers, its interceptors.
/// Context  its worker's thread, also before that runs. A handler may push, register, and end any
///          registration, its own included.
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

  /// For `unsubscribe`.
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
    if (is_handling_) {  // a handler may be ending itself: its function stays until the event is done
      s.keep();
      s.owners_next = removed_;
      removed_ = &s;
      has_left_over_ = true;
    }
  }

  /// Calls the handlers of an event, with its interceptors. An event that wraps another calls this
  /// in its act.
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

  /// True if this type of event has a handler or an interceptor of its own.
  bool is_heard(event_id id) const noexcept {
    if (id >= row_count_) return false;
    const event_row& w = rows_[id];
    return w.handlers.first || w.before.first || w.after.first;
  }

  /// True if there is a row for events of this type.
  bool has_row(event_id id) const noexcept { return id < row_count_; }

  /// Names the service that a function runs for: an exception of the function is that service's
  /// failure.
  void runs_for(service_record* owner) noexcept {
    place_.owner = owner;
    current_ = &place_;
  }

  /// The number of events whose turn has come, the present one included.
  uint64_t handled() const noexcept { return handled_; }

  /// The services of the same worker.
  registry* services = nullptr;
  /// The completion of the event that is being handled; null if no sender waits for it.
  completion* awaited = nullptr;
  /// True if an interceptor stopped the event that was handled last.
  bool was_stopped = false;

 protected:
  ~dispatcher() {
    for (event_row& w : rows_) {
      for (subscriber_list* l : {&w.handlers, &w.before, &w.after}) mute_all(*l);
    }
    mute_all(any_before_);
    mute_all(any_after_);
  }

  /// Makes sure that there is a row for events of this type.
  BATON_INLINE void need_row(event_id id) {
    if (BATON_UNLIKELY(id >= row_count_)) grow(id);
  }

  /// Handles an event. An exception of a handler goes to `handler_threw`.
  BATON_INLINE void dispatch(event_header& r, void* event) {
    ++handled_;
    event_row& w = rows_.data()[r.type];  // `need_row` has made it
    const auto destroy = w.destroy;
    if (BATON_LIKELY(!w.act)) {
      walk(w.handlers, r, event);
    } else {
      w.act(*this, r, event);
    }
    if (destroy) destroy(event);
  }
  BATON_NOINLINE void handler_threw(event_id type, void* event) noexcept {
    note_failure(*this, current_ ? current_->owner : nullptr, std::current_exception());
    destroy_event(type, event);
  }
  void destroy_event(event_id type, void* event) noexcept {
    if (const auto destroy = rows_[type].destroy) destroy(event);
  }

  /// Frees the subscribers that were removed while an event was handled. Call it between events.
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
  bool has_left_over_ = false;  // subscribers were removed, or events dropped, while an event was handled

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

  /// Calls the interceptors before, the event's own first; then the handlers; then the interceptors
  /// after, in the opposite order.
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
  /// The list is copied first, because an interceptor may end others; a short one without memory.
  void walk_back(const subscriber_list& l, event_header& r, void* event) {
    std::array<subscriber*, 8> few;
    std::vector<subscriber*> many;
    size_t n = 0;
    for (subscriber* s = l.last; s; s = s->before) {
      if (s->since == handled_) continue;
      if (n < few.size()) {
        few[n] = s;
      } else {
        many.push_back(s);
      }
      ++n;
    }
    for (size_t i = 0; i != n; ++i) {
      subscriber* const s = i < few.size() ? few[i] : many[i - few.size()];
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
  subscriber place_{nullptr, nullptr};  // stands for a subscriber that was removed while its function ran
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
