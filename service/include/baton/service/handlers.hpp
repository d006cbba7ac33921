// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/with_frame.hpp>
#include <baton/service/dispatcher.hpp>
#include <baton/service/is_task.hpp>

/// Functions and coroutines as handlers and interceptors.
namespace baton::BATON_VARIANT::service {

/// The decision of an interceptor before the handlers.
enum class verdict : uint8_t { pass, stop };

/// An event of any type, for interceptors of all types.
class any_event {
 public:
  any_event(event_info i, detail::event_id t, const void* e) noexcept : info_(i), type_(t), event_(e) {}

  const event_info& info() const noexcept { return info_; }
  /// The event, if it is of this type; null otherwise.
  template <typename Event>
  const Event* get_if() const noexcept {
    return detail::id_of_event<Event> == type_ ? static_cast<const Event*>(event_) : nullptr;
  }

 private:
  event_info info_;
  detail::event_id type_;
  const void* event_;
};

namespace detail {

inline event_info info_of(const event_header& r) noexcept {
  return {event_numbers::type(r.type).name, r.origin, r.number};
}

template <typename Function>
struct subscriber_with : subscriber {
  subscriber_with(call_function c, Function f) : subscriber(c, &destroy_it), function(std::move(f)) {}
  static void destroy_it(subscriber& s) noexcept { delete static_cast<subscriber_with*>(&s); }

  Function function;
};

/// Calls the function with the event, and with its `event_info` if the function takes one.
template <typename Function, typename Event>
decltype(auto) call_with(Function& f, Event& e, const event_header& r) {
  if constexpr (std::is_invocable_v<Function&, Event&, const event_info&>) {
    return f(e, info_of(r));
  } else {
    return f(e);
  }
}
template <typename Function, typename Event>
using result_of =
    decltype(call_with(std::declval<Function&>(), std::declval<Event&>(), std::declval<const event_header&>()));

template <typename Event, typename Function>
concept handles =
    std::is_invocable_v<Function&, const Event&> || std::is_invocable_v<Function&, const Event&, const event_info&>;

/// Runs a handler that is a coroutine. The copy of the event lives until the handler has ended.
template <typename Event, typename Function>
async::task<> handle_in_coroutine(subscriber_with<Function>* s, Event event, event_info info, completion_use waiting) {
  struct use {
    explicit use(subscriber& of) noexcept : s(of) { s.keep(); }
    use(const use&) = delete;
    ~use() { s.drop(); }
    subscriber& s;
  };
  const use hold(*s);
  dispatcher* const at = s->at;
  service_record* const owner = s->owner;
  std::exception_ptr failure;
  try {
    if constexpr (std::is_invocable_v<Function&, const Event&, const event_info&>) {
      co_await async::with_frame(s->function(std::as_const(event), info));
    } else {
      co_await async::with_frame(s->function(std::as_const(event)));
    }
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure) co_return;
  if (waiting) {
    waiting->fail(failure);
  } else {
    note_failure(*at, owner, failure);
  }
}

template <typename Event, typename Function>
struct handler_call {
  using made = subscriber_with<Function>;
  static constexpr bool is_coroutine = is_task<result_of<Function, const Event>>;

  static void call(subscriber& s, event_header& r, void* event) {
    made& m = static_cast<made&>(s);
    if constexpr (is_coroutine) {
      static_assert(std::is_copy_constructible_v<Event>, "a coroutine that handles an event has a copy of it");
      async::task<> whole = async::with_frame(handle_in_coroutine<Event, Function>(
          &m, *static_cast<const Event*>(event), info_of(r), completion_use(s.at->awaited)));
      scope_for(*s.at, s.owner).spawn(std::move(whole));
    } else {
      call_with(m.function, *static_cast<const Event*>(event), r);
    }
  }
  static void call_if_from(subscriber& s, event_header& r, void* event) {
    if (s.from == r.origin) call(s, r, event);
  }
};

template <typename Event, typename Function>
struct before_call {
  static void call(subscriber& s, event_header& r, void* event) {
    Function& f = static_cast<subscriber_with<Function>&>(s).function;
    dispatcher& d = *s.at;
    if constexpr (std::is_void_v<result_of<Function, Event>>) {
      call_with(f, *static_cast<Event*>(event), r);
    } else {
      if (call_with(f, *static_cast<Event*>(event), r) == verdict::stop) d.was_stopped = true;
    }
  }
};

template <typename Function>
struct any_call {
  static void call(subscriber& s, event_header& r, void* event) {
    Function& f = static_cast<subscriber_with<Function>&>(s).function;
    dispatcher& d = *s.at;
    if constexpr (std::is_void_v<std::invoke_result_t<Function&, const any_event&>>) {
      f(any_event(info_of(r), r.type, event));
    } else {
      if (f(any_event(info_of(r), r.type, event)) == verdict::stop) d.was_stopped = true;
    }
  }
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
