// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/dispatcher.hpp>
#include <memory>

/// Events that carry another event, or a function.
namespace baton::BATON_VARIANT::service::detail {

/// Gives a header the type of the inner event while that is handled.
struct goes_by {
  goes_by(event_header& of, event_id inner) noexcept : r(of), was(of.type) { r.type = inner; }
  goes_by(const goes_by&) = delete;
  ~goes_by() { r.type = was; }
  event_header& r;
  event_id was;
};

/// The size in bytes up to which an event lies in the queue itself.
constexpr size_t largest_inline = 1024;

// The result depends on the event. NOLINTBEGIN(misc-redundant-expression)
template <typename Event>
constexpr bool lies_in_queue = sizeof(Event) <= largest_inline && alignof(Event) <= alignof(event_header) &&
                               std::is_nothrow_move_constructible_v<Event>;
// NOLINTEND(misc-redundant-expression)

/// An event in memory of its own, because it is large or strictly aligned, or its move may throw.
template <typename Event>
struct boxed {
  std::unique_ptr<Event> event;

  static void act(dispatcher& d, event_header& r, void* self) {
    const event_id inner = id_of_event<Event>;
    const goes_by here(r, inner);
    d.handle(d.row(inner), r, static_cast<boxed*>(self)->event.get());
  }
};

/// An event whose sender waits for it.
template <typename Event>
struct awaited_event {
  awaited_event(completion& c, std::unique_ptr<Event> e) noexcept : of(&c), event(std::move(e)) { of->keep(); }
  awaited_event(awaited_event&& other) noexcept : of(std::exchange(other.of, nullptr)), event(std::move(other.event)) {}
  ~awaited_event() {
    if (!of) return;
    if (!was_taken) of->result.was_dropped = true;
    of->drop();
  }

  static void act(dispatcher& d, event_header& r, void* self) {
    awaited_event& a = *static_cast<awaited_event*>(self);
    const event_id inner = id_of_event<Event>;
    const goes_by here(r, inner);
    a.was_taken = true;
    d.was_stopped = false;
    d.awaited = a.of;
    try {
      a.of->result.handlers = d.handle(d.row(inner), r, a.event.get());
    } catch (...) {
      a.of->fail(std::current_exception());
    }
    d.awaited = nullptr;
    a.of->result.was_stopped = d.was_stopped;
  }

  completion* of;
  std::unique_ptr<Event> event;
  bool was_taken = false;
};

/// A function that is called in its turn.
template <typename Function>
struct function_event {
  Function function;
  service_record* owner;

  static void act(dispatcher& d, event_header&, void* self) {
    function_event& f = *static_cast<function_event*>(self);
    d.runs_for(f.owner);
    f.function();
  }
};

/// A coroutine that is started in its turn.
struct task_event {
  async::task<> task;
  service_record* owner;

  static void act(dispatcher& d, event_header&, void* self) {
    task_event& t = *static_cast<task_event*>(self);
    d.runs_for(t.owner);
    scope_for(d, t.owner).spawn(std::move(t.task));
  }
};

}  // namespace baton::BATON_VARIANT::service::detail
