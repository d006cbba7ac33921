// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/handlers.hpp>
#include <baton/service/home.hpp>
#include <baton/service/typed_entry.hpp>
#include <baton/service/wrapped_events.hpp>

namespace baton::service {

/// Of a service that was added: what it is to have besides. It is looked at when whoever added it has returned.
class added {
 public:
  explicit added(detail::entry& e) noexcept : of_(&e) {}

  /// A name of its own, for messages; otherwise it goes by its type's.
  added& named(std::string n) {
    of_->more().name = std::move(n);
    return *this;
  }
  /// A property, by which others may choose it, and which it can read.
  template <typename T>
  added& with(std::string_view name, T&& value) {
    properties::one p(name, std::forward<T>(value));
    of_->more().properties.set(name, std::move(p.value));
    return *this;
  }
  added& with(properties all) {
    of_->more().properties = std::move(all);
    return *this;
  }
  /// Only such providers of `Interface` as this says yes to: `bool(const properties&)`.
  template <typename Interface, typename Filter>
  added& where(Filter passes) {
    of_->more().filters.emplace_back(detail::id_of_interface<Interface>, std::move(passes));
    return *this;
  }
  /// When it fails it is started again, later and later.
  added& supervised(back_off b = {}) {
    of_->more().supervision = b;
    return *this;
  }
  /// When it has failed for good, the others go on.
  added& may_fail() {
    of_->on_failure = after_failure::stay_down;
    return *this;
  }
  /// It is not started before `context::start`.
  added& stopped() {
    of_->is_wanted = false;
    return *this;
  }

  service_id id() const noexcept { return of_->id; }
  /// Where a service is named. NOLINTNEXTLINE(google-explicit-constructor)
  operator service_id() const noexcept { return of_->id; }

 private:
  detail::entry* of_;
};

namespace detail {

/// A new service of the registry's home, for one requester alone if there is one. What is wrong with it is said before anything is made of it.
template <typename Service, typename... Interfaces, typename... Arguments>
added add_service(registry& r, entry* requester, Arguments&&... arguments) {
  constexpr bool is_derived = (std::is_base_of_v<Interfaces, Service> && ...);
  constexpr bool is_known = !is_derived || count_injected<Service, 0, std::decay_t<Arguments>...>() != none_fits;
  static_assert(is_derived, "a service provides what it is derived from");
  static_assert(is_known,
                "no constructor of this service fits: its parameters are required<I>, optional<I>, many<I> or context, "
                "by value, and then "
                "what add() was given, which is copied");
  if constexpr (is_derived && is_known) {
    auto* const e = new typed_entry<Service, provides<Service, Interfaces...>, std::decay_t<Arguments>...>(
        r, std::forward<Arguments>(arguments)...);
    if (requester) {
      e->requester = requester;
      e->next_scoped = requester->scoped;
      requester->scoped = e;
    }
    r.add(*e);
    return added(*e);
  } else {
    __builtin_unreachable();
  }
}

}  // namespace detail

/// Who asks a factory.
class request {
 public:
  explicit request(detail::entry& e) noexcept : by_(&e) {}
  service_id requester() const noexcept { return by_->id; }
  std::string_view name() const noexcept { return by_->name(); }
  const service::properties& properties() const noexcept { return by_->properties(); }
  /// Makes a provider for the one that asks, and for no other. It goes when that is taken out.
  template <typename Service, typename... Interfaces, typename... Arguments>
  added make(Arguments&&... arguments) const;

 private:
  detail::entry* by_;
};

/// While this lives, who asks for an interface that nobody provides is given one of its own.
class [[nodiscard("nothing is made when this is gone: keep it, as a member")]] factory {
 public:
  factory() noexcept = default;
  factory(detail::registry & r, detail::interface_id of, std::function<void(detail::entry&)> make)
      : at_(&r), made_(new detail::factory{std::move(make), of}) {
    r.set_factory(of, made_.get());
  }
  factory(factory && other) noexcept : at_(std::exchange(other.at_, nullptr)), made_(std::move(other.made_)) {}
  factory& operator=(factory&& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(made_, other.made_);
    return *this;
  }
  ~factory() {
    if (at_ && at_->row(made_->of).made_by == made_.get()) at_->set_factory(made_->of, nullptr);
  }

 private:
  detail::registry* at_ = nullptr;
  std::unique_ptr<detail::factory> made_;
};

/// What a service knows of where it lives: events, other services, itself. Ask for it in the constructor.
///
/// Shape    two pointers. Copies are the same. It is valid as long as the service.
/// Context  the thread of its home; `context::home()` gives what others may use.
/// Errors   a call from another thread ends the program with a message (exit code 18), `push` and `run` where the port checks.
class context {
 public:
  context(detail::home& h, detail::entry* e) noexcept : home_(&h), self_(e) {}

  /// ---- Events ----

  /// Puts an event into the queue; its handlers are called in its turn, on this thread.
  /// Errors   `full`, by the queue's limit; `closed`, when the home has ended.
  template <typename Event>
  status push(Event&& event, priority p = priority::normal) const {
    using type = std::remove_cvref_t<Event>;
    if constexpr (port::checked) home_->check();
    if constexpr (detail::lies_in_queue<type>) {
      return home_->events.push(number(), p, std::forward<Event>(event));
    } else {
      return home_->events.push(number(), p, detail::boxed<type>{std::make_unique<type>(std::forward<Event>(event))});
    }
  }

  /// For co_await: the same, and waits until it was handled, by coroutines too. The outcome says how that went.
  template <typename Event>
  async::task<outcome> send(Event event, priority p = priority::normal) const {
    return send_event(home_, number(), std::make_unique<Event>(std::move(event)), p);
  }

  /// Calls `handler(const Event&)`, or with an `event_info` besides, for each such event from now on. It may be a coroutine: it gets a copy of the event.
  template <typename Event, typename Handler>
  requires detail::handles<Event, Handler> registration on(Handler handler) const {
    return on<Event>(std::move(handler), 0, &detail::handler_call<Event, Handler>::call);
  }
  /// The same, for those that one service pushes.
  template <typename Event, typename Handler>
  requires detail::handles<Event, Handler> registration on_from(service_id who, Handler handler) const {
    return on<Event>(std::move(handler), who.number, &detail::handler_call<Event, Handler>::call_if_from);
  }

  /// Calls `interceptor(Event&)` before the handlers of an event. It may change the event, and `return verdict::stop`: then no handler hears it.
  template <typename Event, typename Interceptor>
  registration before(Interceptor f) const {
    detail::subscriber& s = subscribed(&detail::before_call<Event, Interceptor>::call, std::move(f));
    home_->events.add_before(detail::id_of_event<Event>, s, self_);
    return registration{s};
  }
  /// Calls `interceptor(const Event&)` when the handlers of an event have returned, or it was stopped.
  template <typename Event, typename Interceptor>
  registration after(Interceptor f) const {
    detail::subscriber& s = subscribed(&detail::before_call<const Event, Interceptor>::call, std::move(f));
    home_->events.add_after(detail::id_of_event<Event>, s, self_);
    return registration{s};
  }
  /// The same for events of any type: `interceptor(const any_event&)`.
  template <typename Interceptor>
  registration before_any(Interceptor f) const {
    detail::subscriber& s = subscribed(&detail::any_call<Interceptor>::call, std::move(f));
    home_->events.add_before_any(s, self_);
    return registration{s};
  }
  template <typename Interceptor>
  registration after_any(Interceptor f) const {
    detail::subscriber& s = subscribed(&detail::any_call<Interceptor>::call, std::move(f));
    home_->events.add_after_any(s, self_);
    return registration{s};
  }

  /// Calls a function in its turn among the events.
  template <typename Function>
  requires std::is_invocable_v<Function&> status run(Function f, priority p = priority::normal) const {
    using event = detail::function_event<Function>;
    if constexpr (detail::lies_in_queue<event>) {
      return home_->events.push(number(), p, event{std::move(f), self_});
    } else {
      auto boxed = [kept = std::make_unique<Function>(std::move(f))] { (*kept)(); };
      return home_->events.push(number(), p, detail::function_event<decltype(boxed)>{std::move(boxed), self_});
    }
  }
  /// Begins a coroutine in its turn among the events.
  status run(async::task<> t, priority p = priority::normal) const {
    return home_->events.push(number(), p, detail::task_event{detail::guarded(*home_, self_, std::move(t)), self_});
  }
  /// Begins a coroutine at the loop's next turn. It is the service's: stopped and joined before its stop.
  void spawn(async::task<> t) const {
    home_->check();
    detail::scope_for(home_->events, self_).spawn(detail::guarded(*home_, self_, std::move(t)));
  }

  uint64_t waiting_events() const noexcept { return home_->events.waiting(); }

  /// ---- Services ----

  /// Adds a service that provides `Interfaces`, or itself. Its constructor's first parameters are injected, the others are the arguments, of which it gets
  /// a copy each time it starts.
  template <typename Service, typename... Interfaces, typename... Arguments>
  added add(Arguments&&... arguments) const {
    home_->check();
    return detail::add_service<Service, Interfaces...>(home_->services, nullptr, std::forward<Arguments>(arguments)...);
  }

  /// Calls `make(const request&)` for each service that lacks an `Interface` which nobody provides.
  template <typename Interface, typename Make>
  factory make_for_each(Make make) const {
    home_->check();
    return factory(home_->services, detail::id_of_interface<Interface>,
                   [make = std::move(make)](detail::entry& e) { make(request(e)); });
  }

  /// Stops a service, after those that require it. It stays where it is, and can be started again. false: it is gone.
  bool stop(service_id s) const {
    return with(s, [this](detail::entry& e) { home_->services.want(e, false); });
  }
  /// Lets a service start as soon as it can; those that required it follow. Also one that failed for good.
  bool start(service_id s) const {
    return with(s, [this](detail::entry& e) { home_->services.want(e, true); });
  }
  /// Stops a service, and takes it out.
  bool remove(service_id s) const {
    return with(s, [this](detail::entry& e) { home_->services.remove(e); });
  }
  bool is_active(service_id s) const {
    const detail::entry* const e = home_->services.find(s);
    return e && e->now == detail::phase::active;
  }

  /// For co_await: waits until it has started. `closed`: it is gone.
  async::task<status> started(service_id s) const { return in_phase(home_, s, true); }
  /// For co_await: waits until it has stopped, or is gone.
  async::task<status> stopped(service_id s) const { return in_phase(home_, s, false); }

  /// ---- Itself ----

  service_id id() const noexcept { return self_ ? self_->id : service_id{}; }
  std::string_view name() const noexcept { return self_ ? self_->name() : std::string_view{home_->name}; }
  const service::properties& properties() const noexcept {
    static const service::properties none;
    return self_ ? self_->properties() : none;
  }
  /// Of one that a factory made: who asked for it. Number 0: nobody.
  std::string_view requester_name() const noexcept {
    return self_ && self_->requester ? self_->requester->name() : std::string_view{};
  }
  const service::properties& requester_properties() const noexcept {
    static const service::properties none;
    return self_ && self_->requester ? self_->requester->properties() : none;
  }

  /// It has failed: it is stopped, and started again if it is supervised.
  void fail(const std::string& why) const {
    home_->check();
    detail::note_failure(home_->events, self_, std::make_exception_ptr(std::runtime_error(why)));
  }

  /// Ends the application in order, with this exit code: events that wait are handled, then services stop in the reverse order of their starts.
  void quit(int code = 0) const;

  /// Where it lives, for what others may do there.
  detail::home& home() const noexcept { return *home_; }
  application& program() const noexcept { return *home_->program; }

 private:
  uint32_t number() const noexcept { return self_ ? self_->id.number : 0; }

  template <typename Function>
  detail::subscriber& subscribed(detail::subscriber::call_function call, Function f) const {
    home_->check();
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
    detail::subscriber& s = subscribed(call, std::move(handler));
    s.from = from;
    home_->events.add_handler(detail::id_of_event<Event>, s, self_);
    return registration{s};
  }

  template <typename Act>
  bool with(service_id s, Act act) const {
    home_->check();
    detail::entry* const e = home_->services.find(s);
    if (e) act(*e);
    return e != nullptr;
  }

  template <typename Event>
  static async::task<outcome> send_event(detail::home* h, uint32_t origin, std::unique_ptr<Event> event, priority p) {
    auto* const c = new detail::completion;
    struct hold {
      ~hold() { c->drop(); }
      detail::completion* c;
    } const mine{c};
    const status queued = h->events.push(origin, p, detail::awaited_event<Event>(*c, std::move(event)));
    if (queued != status::ok) co_return outcome{queued, 0, false, false, nullptr};
    const status waited = co_await c->ended.wait();
    if (waited != status::ok) co_return outcome{waited, 0, false, false, nullptr};
    co_return c->result;
  }

  static async::task<status> in_phase(detail::home* h, service_id s, bool active) {
    for (;;) {
      detail::entry* const e = h->services.find(s);
      if (!e) co_return active ? status::closed : status::ok;
      const bool is_there =
          active ? e->now == detail::phase::active : !e->is_constructed() && e->now != detail::phase::fresh;
      if (is_there) co_return status::ok;
      const status waited = co_await e->more().changed.wait();
      if (waited == status::cancelled) co_return waited;
    }
  }

  detail::home* home_;
  detail::entry* self_;
};

template <typename Service, typename... Interfaces, typename... Arguments>
added request::make(Arguments&&... arguments) const {
  return detail::add_service<Service, Interfaces...>(*by_->home, by_, std::forward<Arguments>(arguments)...);
}

namespace detail {

template <typename Context>
Context context_of(entry& e) noexcept {
  return Context(home_of(e), &e);
}

}  // namespace detail
}  // namespace baton::service
