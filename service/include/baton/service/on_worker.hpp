// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/spi/ending_task.hpp>
#include <baton/core/spi/temporaries.hpp>
#include <baton/service/exported.hpp>
#include <functional>

namespace baton::BATON_VARIANT::service {

namespace detail {

/// The result of a call: that of the function, if it can say a status; else a `result` of it.
template <typename T>
struct call_result {
  static_assert(!std::is_reference_v<T>,
                "the result of a call to another worker is used on the caller's: let the function return a value");
  using type = async::result<T>;
};
template <typename T>
struct call_result<async::task<T>> : call_result<T> {};
template <typename T>
struct call_result<async::result<T>> {
  using type = async::result<T>;
};
template <>
struct call_result<status> {
  using type = status;
};
template <typename I, typename Function>
using call_result_t = typename call_result<std::invoke_result_t<Function&, I&>>::type;

template <typename I, typename Function, typename... Arguments>
concept is_called_with = std::is_invocable_v<std::decay_t<Function>&, I&, std::decay_t<Arguments>...>;

/// Calls the function on the provider's worker.
template <typename I, typename Function>
async::task<call_result_t<I, Function>> call_there(std::shared_ptr<worker_bridge<I>> b, Function& f) {
  using returned = std::invoke_result_t<Function&, I&>;
  const std::shared_ptr<binding<I>> inside = b->there ? b->there->bound() : nullptr;
  if (!inside) co_return status::peer_gone;
  if constexpr (is_task<returned>) {
    auto ended = co_await async::until_stop(inside->ends.token(), f(*inside->provider));
    if (inside->ends.is_stopping()) co_return status::peer_gone;
    co_return ended;
  } else if constexpr (std::is_void_v<returned>) {
    f(*inside->provider);
    co_return status::ok;
  } else {
    co_return f(*inside->provider);
  }
}

/// Takes the call there and its result back.
template <typename I, typename Function>
async::task<call_result_t<I, Function>> call_from_here(std::shared_ptr<worker_bridge<I>> b, Function f) {
  auto got = co_await async::run_on(b->to->mailbox.handle(), call_there<I>(b, f));
  if (!got) co_return got.status() == status::closed ? status::peer_gone : got.status();
  co_return std::move(*got);
}

}  // namespace detail

/// A service of another worker, as a dependency: `required<on_worker<db>>`.
///
///     explicit job(required<on_worker<db>> from) ...
///     async::result<int> v = co_await from.call(&db::look, k);
///     async::result<int> n = co_await from.call([](db& d) { return d.count(); });
///
/// Shape    a service of the asking worker, one for each other worker, with that worker's name:
///          `required<on_worker<db>, "io">` asks for one, `many<on_worker<db>>` for all. Without a
///          name the worker that was added first is preferred. It is active while that worker has
///          an active provider.
/// Context  the worker of the service that asks. Its dependants start after the provider, and stop
///          before it.
template <typename I>
class on_worker {
 public:
  explicit on_worker(std::shared_ptr<detail::worker_bridge<I>> to) noexcept : to_(std::move(to)) {}
  on_worker(const on_worker&) = delete;
  on_worker& operator=(const on_worker&) = delete;
  ~on_worker() { to_->leases.clear(); }

  /// For co_await: calls `f(I&, arguments...)` on the provider's worker, and gives its result here:
  /// `from.call(&db::look, k)`. `f` may be a coroutine, which runs there, or return a task of the
  /// provider's.
  ///
  /// Shape    a `result`; a status, if that is what `f` returns. The arguments are copied or moved
  ///          into the call, and moved into `f`.
  /// Context  `f` is called between two coroutines of the provider's worker; it may touch what
  ///          lives there, and nothing of the caller's worker. It is destroyed on the caller's. The
  ///          caller waits meanwhile, with those that await it. A stop of the caller and a deadline
  ///          end the waits of the coroutine there, and the call ends when the coroutine has. An
  ///          exception of `f` is thrown here.
  /// Cost     two messages between the loops, and four frames.
  /// Errors   peer_gone: the provider is gone, or it stops, and the coroutine was stopped after
  ///          half of `options::step_limit`; or it was destroyed. cancelled, full: `f` was not
  ///          called.
  template <typename Function, typename... Arguments>
    requires detail::is_called_with<I, Function, Arguments...>
  auto call(Function&& f, Arguments&&... arguments) const {
    static_assert(!baton::spi::dies_twice<Function>,
                  "g++ 12 destroys this lambda twice in a co_await: give what it holds as arguments of the call");
    static_assert(!(baton::spi::refuses_temporary<Arguments> || ...),
                  "g++ 12 destroys this argument twice in a co_await: make it a variable, or give its type a "
                  "constructor");
    auto bound = [f = static_cast<std::decay_t<Function>>(std::forward<Function>(f)),
                  ... kept = static_cast<std::decay_t<Arguments>>(std::forward<Arguments>(arguments))](
                     I& i) mutable -> decltype(auto) { return std::invoke(f, i, std::move(kept)...); };
    return async::spi::ending_task<detail::call_result_t<I, decltype(bound)>>{
        detail::call_from_here<I>(to_, std::move(bound))};
  }

  /// The name of the provider's worker.
  std::string_view worker() const noexcept { return to_->to->name; }

 private:
  const std::shared_ptr<detail::worker_bridge<I>> to_;
};

/// A service that has to be there, on another worker.
template <typename I, detail::literal Name>
class required<on_worker<I>, Name> {
 public:
  explicit required(on_worker<I>& i) noexcept : of_(&i) {}
  on_worker<I>* operator->() const noexcept { return of_; }
  on_worker<I>& operator*() const noexcept { return *of_; }
  on_worker<I>& get() const noexcept { return *of_; }

  /// As `on_worker::call`.
  template <typename Function, typename... Arguments>
    requires detail::is_called_with<I, Function, Arguments...>
  auto call(Function&& f, Arguments&&... arguments) const {
    return of_->call(std::forward<Function>(f), std::forward<Arguments>(arguments)...);
  }

 private:
  on_worker<I>* of_;
};

namespace detail {

/// Adds the service that watches the providers of `I`, on their worker.
template <typename I>
async::task<> begin_export(std::shared_ptr<worker_bridge<I>> b) {
  add_service<starts::any, exported<I>>(b->to->services, nullptr, b).named("calls from " + b->from->name).supervised();
  co_return;
}

/// Adds the stand-ins of a worker for the providers of `I` on all others.
template <typename I>
void import_from_others(worker& from) {
  int32_t rank = 0;
  for (worker* to : others_of(from)) {
    auto b = std::make_shared<worker_bridge<I>>(from, *to);
    b->stand_in =
        add_service<starts::any, on_worker<I>>(from.services, nullptr, b).named(to->name).rank(--rank).stopped();
    from.services.find(b->stand_in)->is_stand_in = true;
    send_to(*to, guarded(*to, nullptr, begin_export(b)));
  }
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
