// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/context.hpp>

/// Services that another service makes when it needs one: for a connection, a request, a job.
namespace baton::BATON_VARIANT::service {

/// The service that a `provider` asks. `add_maker` adds one; a class of the program's own may
/// choose among several services.
template <typename Interface, typename... Arguments>
class maker {
 public:
  maker(const maker&) = delete;
  maker& operator=(const maker&) = delete;
  virtual ~maker() = default;

  /// Adds a service to this worker by `context::add_once`.
  virtual service_id add(Arguments... arguments) = 0;
  /// The interface of the object of a service that `add` has added.
  virtual Interface& of(void* object) const noexcept = 0;

 protected:
  maker() = default;
};

/// Adds services of one class, with the properties and the filters that it was added with itself.
template <typename Service, typename Interface, typename... Arguments>
class maker_of final : public maker<Interface, Arguments...> {
  static_assert(std::is_base_of_v<Interface, Service>, "a maker's service is derived from its interface");

 public:
  /// The record of a service that `add` adds.
  using record =
      detail::typed_service_record<Service, detail::provides<Service>, detail::starts::one, std::decay_t<Arguments>...>;

  explicit maker_of(context here) : here_(here) {}

  /// Adds a maker, and looks on other workers for what its services depend on there.
  static added add_to(const context& here, detail::registry& r) {
    const added one = here.add<maker_of, maker<Interface, Arguments...>>();
    detail::begin_imports(r, detail::type_is<typename record::parameters>());
    return one;
  }

  service_id add(Arguments... arguments) override {
    return here_.add_once<Service>(std::move(arguments)...).like(here_.id()).may_fail();
  }
  Interface& of(void* object) const noexcept override { return *static_cast<Service*>(object); }

 private:
  context here_;
};

namespace detail {

/// So a check and a graph know what made services depend on.
template <typename Service, typename Interface, typename... Arguments>
inline constexpr auto type_made_by<maker_of<Service, Interface, Arguments...>> =
    &maker_of<Service, Interface, Arguments...>::record::type_of;

/// For co_await: waits until a service is active; `closed` if it cannot become so any more.
async::task<status> until_made(registry& r, service_id made);

}  // namespace detail

/// A service that a `provider` has made. The end of the handle removes it, so that it lives as long
/// as the coroutine or the object that has the handle.
///
///     if (auto s = co_await sessions.make(std::move(socket))) co_await s->serve();
///
/// Shape    move-only; false if there is no such service, or if it has stopped.
/// Context  the worker's thread. It stops after the caller's present turn, so what its destructor
///          or its `stop` uses has to be its own. `->` and `hold` keep it from stopping, as those
///          of `optional` do.
template <typename Interface>
class [[nodiscard("the service is removed with its handle")]] made {
 public:
  made() noexcept = default;
  made(made&& other) noexcept
      : at_(std::exchange(other.at_, nullptr)), id_(other.id_), user_(other.user_), object_(other.object_) {}
  made& operator=(made&& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(id_, other.id_);
    std::swap(user_, other.user_);
    std::swap(object_, other.object_);
    return *this;
  }
  ~made() { end(); }

  explicit operator bool() const noexcept { return active() != nullptr; }
  /// Keeps the service from stopping while the result lives. Null if it is not active.
  held<Interface> hold() const noexcept {
    detail::service_record* const e = active();
    if (!e) return {};
    const detail::link l{e, user_, object_};
    return held<Interface>(&l);
  }
  held<Interface> operator->() const noexcept { return hold(); }
  service_id id() const noexcept { return id_; }

  /// Removes the service, as the end of the handle does. Idempotent.
  void end() noexcept {
    detail::registry* const at = std::exchange(at_, nullptr);
    detail::service_record* const e = at ? at->find(id_) : nullptr;
    if (e) at->remove(*e);
  }

 private:
  template <typename I, typename... Arguments>
  friend class provider;

  made(detail::slot& user, service_id s) noexcept : at_(user.owner->owning_registry), id_(s), user_(&user) {}

  detail::service_record* active() const noexcept {
    detail::service_record* const e = at_ ? at_->find(id_) : nullptr;
    return e && e->state == phase::active ? e : nullptr;
  }

  detail::registry* at_ = nullptr;
  service_id id_;
  detail::slot* user_ = nullptr;  // its owner is who holds
  void* object_ = nullptr;
};

/// Makes services when it is asked to, each from arguments of its own.
///
///     app.add_maker<tcp_session, session, socket>();
///     explicit server(provider<session, socket> sessions);
///
/// Shape    a dependency on a `maker` of this interface and these arguments, as `required` is one.
///          What it makes is a service as all others: its other dependencies are injected, and it
///          waits for them, and stops before they do.
template <typename Interface, typename... Arguments>
class provider {
 public:
  explicit provider(detail::slot& s) noexcept : slot_(&s) {}

  /// For co_await: adds a service and waits until it has started. The arguments are moved into its
  /// constructor.
  ///
  /// Context  the end of the start resumes the caller, in its turn on this thread. A stop, or the
  ///          time of `within`, ends the wait with an empty handle, and the service is removed.
  /// Cost     an allocation for the service and two for the coroutines of the wait.
  /// Errors   what its constructor or its `start` has thrown, which is told as a failure that the
  ///          program survives.
  async::task<made<Interface>> make(Arguments... arguments) const {
    auto& by = *static_cast<maker<Interface, Arguments...>*>(slot_->first->object);
    return async::with_frame(wait_for(made<Interface>(*slot_, by.add(std::move(arguments)...)), by));
  }

 private:
  static async::task<made<Interface>> wait_for(made<Interface> one, const maker<Interface, Arguments...>& by) {
    const status ended = co_await async::with_frame(detail::until_made(*one.at_, one.id_));
    const detail::service_record* const e = one.at_->find(one.id_);
    if (ended == status::ok) {
      one.object_ = &by.of(e->object);
      co_return one;
    }
    if (ended == status::closed && e && e->has_failed) std::rethrow_exception(e->rare->failure);
    co_return made<Interface>();
  }

  detail::slot* slot_;
};

namespace detail {

template <typename I, typename... Arguments>
constexpr bool is_injected<provider<I, Arguments...>> = true;
template <typename I, typename... Arguments>
struct parameter_need<provider<I, Arguments...>> : need_of<need::required, maker<I, Arguments...>, ""> {};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
