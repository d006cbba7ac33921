// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/with_frame.hpp>
#include <baton/service/factory.hpp>
#include <baton/service/handlers.hpp>
#include <baton/service/worker_handle.hpp>
#include <baton/service/wrapped_events.hpp>

namespace baton::BATON_VARIANT::service {

template <typename Interface, typename... Arguments>
class maker;
template <typename Service, typename Interface, typename... Arguments>
class maker_of;

/// The worker of a service, as the service sees it: events, other services, the service itself. A
/// service asks for it in its constructor.
///
/// Shape    two pointers; copies are the same. Valid as long as the service.
/// Context  the thread of its worker. Other threads use `application::post` with it.
/// Errors   calls that add, register, spawn, stop or end something, from another thread, end the
///          program with a message (exit code 18). `push` looks at the thread only where the port
///          checks; `send`, `run`, `is_active`, `started` and `stopped` look at none. Any thread
///          may call `quit`.
class context {
 public:
  /// ---- Events ----

  /// Puts an event into the queue. Its handlers are called in its turn, on this thread.
  /// Errors   `full`: the queue's limit is reached. `closed`: the worker has ended.
  template <typename Event>
  status push(Event&& event, priority p = priority::normal) const {
    using type = std::remove_cvref_t<Event>;
    if constexpr (port::checked) worker_->check();
    if constexpr (detail::lies_in_queue<type>) {
      return worker_->events.push(number(), p, std::forward<Event>(event));
    } else {
      return worker_->events.push(number(), p, detail::boxed<type>{std::make_unique<type>(std::forward<Event>(event))});
    }
  }

  /// For co_await: puts an event into the queue and waits until all handlers have ended, coroutines
  /// included. The delivery is the result.
  /// Context  the end of the event resumes the caller, at its turn on this thread. A stop ends the
  ///          wait; the handlers still run.
  template <typename Event>
  async::task<delivery> send(Event event, priority p = priority::normal) const {
    return async::with_frame(send_event(worker_, number(), std::make_unique<Event>(std::move(event)), p));
  }

  /// Calls `handler(const Event&)` or `handler(const Event&, const event_info&)` for each such
  /// event from here on. A handler may be a coroutine, which gets a copy of the event.
  template <typename Event, typename Handler>
    requires detail::handles<Event, Handler>
  registration on(Handler handler) const {
    return on<Event>(std::move(handler), 0, &detail::handler_call<Event, Handler>::call);
  }
  /// As `on`, for the events that one service of this worker pushes. With the id of another
  /// worker's service it hears nothing, which is told.
  template <typename Event, typename Handler>
    requires detail::handles<Event, Handler>
  registration on_from(service_id who, Handler handler) const {
    const uint32_t from = worker_->services.is_foreign(who) ? nobody : who.number;
    return on<Event>(std::move(handler), from, &detail::handler_call<Event, Handler>::call_if_from);
  }

  /// Calls `interceptor(Event&)` before the handlers of an event. It may change the event, and may
  /// return `verdict::stop`: then no handler gets it.
  template <typename Event, typename Interceptor>
  registration before(Interceptor f) const {
    worker_->events.row(detail::id_of_event<Event>);
    detail::subscriber& s = subscribed<Event>(&detail::before_call<Event, Interceptor>::call, std::move(f));
    worker_->events.add_before(detail::id_of_event<Event>, s, self_);
    return registration{s};
  }
  /// Calls `interceptor(const Event&)` when the handlers of an event have returned, or when the
  /// event was stopped.
  template <typename Event, typename Interceptor>
  registration after(Interceptor f) const {
    worker_->events.row(detail::id_of_event<Event>);
    detail::subscriber& s = subscribed<Event>(&detail::before_call<const Event, Interceptor>::call, std::move(f));
    worker_->events.add_after(detail::id_of_event<Event>, s, self_);
    return registration{s};
  }
  /// As `before`, for events of all types: `interceptor(const any_event&)`.
  template <typename Interceptor>
  registration before_any(Interceptor f) const {
    detail::subscriber& s = subscribed<any_event>(&detail::any_call<Interceptor>::call, std::move(f));
    worker_->events.add_before_any(s, self_);
    return registration{s};
  }
  template <typename Interceptor>
  registration after_any(Interceptor f) const {
    detail::subscriber& s = subscribed<any_event>(&detail::any_call<Interceptor>::call, std::move(f));
    worker_->events.add_after_any(s, self_);
    return registration{s};
  }

  /// Calls a function in its turn among the events. An exception of it is a failure of this
  /// service.
  template <typename Function>
    requires std::is_invocable_v<Function&>
  status run(Function f, priority p = priority::normal) const {
    using event = detail::function_event<Function>;
    if constexpr (detail::lies_in_queue<event>) {
      return worker_->events.push(number(), p, event{std::move(f), self_});
    } else {
      auto boxed = [kept = std::make_unique<Function>(std::move(f))] { (*kept)(); };
      return worker_->events.push(number(), p, detail::function_event<decltype(boxed)>{std::move(boxed), self_});
    }
  }
  /// Starts a coroutine in its turn among the events.
  status run(async::task<> t, priority p = priority::normal) const;
  /// Starts a coroutine at the loop's next turn. The coroutine belongs to the service, which stops
  /// and joins it before its own stop.
  /// Errors   std::bad_alloc: there is no memory for its frame; it has not begun.
  void spawn(async::task<> t) const;

  uint64_t waiting_events() const noexcept { return worker_->events.waiting(); }

  /// ---- Services ----
  ///
  /// An id is good in its own worker. Calls with another's id change nothing and are told: they
  /// return false, or `closed`.

  /// Adds a service that provides `Interfaces`, or itself if none is named. The first parameters of
  /// its constructor are injected; the others are `arguments`, of which each start gets a copy.
  template <typename Service, typename... Interfaces, typename... Arguments>
  added add(Arguments&&... arguments) const {
    worker_->check();
    return detail::add_service<detail::starts::any, Service, Interfaces...>(worker_->services, nullptr,
                                                                            std::forward<Arguments>(arguments)...);
  }
  /// As `add`, for one start, which gets the arguments themselves: they may be move-only. A service
  /// that has stopped is not started again.
  /// Errors   `started_before`, as the service's failure, if it is started again by hand.
  template <typename Service, typename... Interfaces, typename... Arguments>
  added add_once(Arguments&&... arguments) const {
    worker_->check();
    return detail::add_service<detail::starts::one, Service, Interfaces...>(worker_->services, nullptr,
                                                                            std::forward<Arguments>(arguments)...);
  }

  /// Adds the maker of `provider<Interface, Arguments...>`: it makes services of the class
  /// `Service`, with the properties and filters that it is given itself.
  template <typename Service, typename Interface, typename... Arguments>
  added add_maker() const {
    using made_by = maker_of<Service, Interface, Arguments...>;
    static_assert(detail::included<made_by>, "include <baton/service/provider.hpp>");
    return made_by::add_to(*this, worker_->services);
  }

  /// Calls `make(const request&)` for each service that lacks an `Interface` that no service
  /// provides.
  template <typename Interface, typename Make>
  factory make_for_each(Make make) const {
    worker_->check();
    return factory(worker_->services, detail::id_of_interface<Interface>,
                   [make = std::move(make)](detail::service_record& e) { make(request(e)); });
  }

  /// Stops a service, after those that require it. It stays in the worker and can be started again.
  /// false: it is gone.
  bool stop(service_id s) const {
    return with(s, [this](detail::service_record& e) { worker_->services.set_enabled(e, false); });
  }
  /// Lets a service start as soon as it can, and those that require it follow. A service that
  /// failed for good may start again. false: it is gone.
  bool start(service_id s) const {
    return with(s, [this](detail::service_record& e) { worker_->services.set_enabled(e, true); });
  }
  /// Changes the rank of a service among the providers of its interfaces, as `added::rank` sets it.
  /// Dependencies that can be bound anew go to the best provider at once. false: it is gone.
  bool set_rank(service_id s, int32_t rank) const {
    return with(s, [=, this](detail::service_record& e) { worker_->services.set_rank(e, rank); });
  }
  /// Stops a service and takes it out of the worker. false: it is gone.
  bool remove(service_id s) const {
    return with(s, [this](detail::service_record& e) { worker_->services.remove(e); });
  }
  bool is_active(service_id s) const {
    if (worker_->services.is_foreign(s)) return false;
    const detail::service_record* const e = worker_->services.find(s);
    return e && e->state == phase::active;
  }

  /// For co_await: waits until a service has started, also while it is stopped.
  /// Errors   `closed`: it is gone, or has failed for good, as a second provider that is added to a
  ///          running program has; `failure_of` says why. `cancelled`: the caller was stopped.
  async::task<status> started(service_id s) const;
  /// The text of a service's last failure; empty if it has not failed, or is gone.
  std::string failure_of(service_id s) const;
  /// For co_await: waits until a service has stopped or is gone.
  /// Errors   `closed`: the id is another worker's. `cancelled`: the caller was stopped.
  async::task<status> stopped(service_id s) const;

  /// ---- Itself ----

  service_id id() const noexcept { return self_ ? self_->id : service_id{}; }
  std::string_view name() const noexcept { return self_ ? self_->name() : std::string_view{worker_->name}; }
  const service::properties& properties() const noexcept {
    static const service::properties none;
    return self_ ? self_->properties() : none;
  }
  /// The name of the service that a factory made this one for; empty for any other service.
  std::string_view requester_name() const noexcept {
    return self_ && self_->requester ? self_->requester->name() : std::string_view{};
  }
  const service::properties& requester_properties() const noexcept {
    static const service::properties none;
    return self_ && self_->requester ? self_->requester->properties() : none;
  }

  /// Writes a line to the program's diagnostics.
  void tell(const std::string& line) const;

  /// Reports that this service has failed. It is stopped, and started again if it is supervised.
  void fail(const std::string& why) const;

  /// Ends the application in order, with this exit code: the waiting events are handled, then the
  /// services stop in the reverse order of their starts.
  void quit(int code = 0) const;

  /// A handle of the service's worker, which other threads may keep and use.
  worker_handle worker() const noexcept { return worker_handle(*worker_); }
  application& program() const noexcept { return *worker_->program; }

 private:
  friend class application;
  template <typename Context>
  friend Context detail::context_of(detail::service_record& e) noexcept;

  static constexpr uint32_t nobody = ~uint32_t{0};  // no service has this number

  context(detail::worker& w, detail::service_record* e) noexcept : worker_(&w), self_(e) {}

  uint32_t number() const noexcept { return self_ ? self_->id.number : 0; }

  /// A registration for events of a type, or `any_event` for all types.
  template <typename Event, typename Function>
  detail::subscriber& subscribed(detail::subscriber::call_function call, Function f) const {
    worker_->check();
    if constexpr (std::is_same_v<Event, service_changed>) worker_->services.announce_changes();
    detail::subscriber& s = *new detail::subscriber_with<Function>(call, std::move(f));
    if (!self_) return s;
    s.owners_next = self_->subscribers;
    if (s.owners_next) s.owners_next->owners_link = &s.owners_next;
    s.owners_link = &self_->subscribers;
    self_->subscribers = &s;
    return s;
  }
  template <typename Event, typename Handler>
  registration on(Handler handler, uint32_t from, detail::subscriber::call_function call) const {
    worker_->events.row(detail::id_of_event<Event>);  // first, because there may be no memory for it
    detail::subscriber& s = subscribed<Event>(call, std::move(handler));
    s.from = from;
    worker_->events.add_handler(detail::id_of_event<Event>, s, self_);
    return registration{s};
  }

  template <typename Act>
  bool with(service_id s, Act act) const {
    worker_->check();
    if (worker_->services.is_foreign(s)) return false;
    detail::service_record* const e = worker_->services.find(s);
    if (e) act(*e);
    return e != nullptr;
  }

  template <typename Event>
  static async::task<delivery> send_event(detail::worker* w, uint32_t origin, std::unique_ptr<Event> event,
                                          priority p) {
    auto* const c = new detail::completion;
    struct hold {
      ~hold() { c->drop(); }
      detail::completion* c;
    } const mine{c};
    const status queued = w->events.push(origin, p, detail::awaited_event<Event>(*c, std::move(event)));
    if (queued != status::ok) co_return delivery{queued, 0, false, false, nullptr};
    const status waited = co_await c->ended.wait();
    if (waited != status::ok) co_return delivery{waited, 0, false, false, nullptr};
    co_return c->result;
  }

  detail::worker* worker_;
  detail::service_record* self_;
};

namespace detail {

template <typename Context>
Context context_of(service_record& e) noexcept {
  return Context(worker_of(e), &e);
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
