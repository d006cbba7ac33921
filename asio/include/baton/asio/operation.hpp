// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/completion.hpp>
#include <baton/asio/flight.hpp>
#include <baton/asio/operation_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::BATON_VARIANT::asio::BATON_POLLER {
namespace detail {

/// Maps a completion signature of Asio to a `completion`.
template <typename Signature>
struct shape;

template <typename... T>
struct shape<void(T...)> {
  using type = completion<std::decay_t<T>...>;
  template <typename... U>
  static type make(std::exception_ptr&, U&&... u) {
    if constexpr (sizeof...(T) == 0) {
      return type{};
    } else {
      return type{{}, {std::forward<U>(u)...}};
    }
  }
};

template <typename... T>
struct shape<void(boost::system::error_code, T...)> {
  using type = completion<std::decay_t<T>...>;
  template <typename... U>
  static type make(std::exception_ptr&, boost::system::error_code error, U&&... u) {
    if constexpr (sizeof...(T) == 0) {
      return type{error};
    } else {
      return type{error, {std::forward<U>(u)...}};
    }
  }
};

template <typename... T>
struct shape<void(std::exception_ptr, T...)> {
  using type = completion<std::decay_t<T>...>;
  template <typename... U>
  static type make(std::exception_ptr& thrown, std::exception_ptr what, U&&... u) {
    thrown = std::move(what);
    return shape<void(T...)>::make(thrown, std::forward<U>(u)...);
  }
};

/// A flight, and the results of its operation.
template <typename Signature>
struct landing : flight {
  using flight::flight;
  using result_type = typename shape<Signature>::type;

  template <typename... U>
  void keep(U&&... u) {
    result.emplace(shape<Signature>::make(thrown, std::forward<U>(u)...));
    if (ended_by != status::ok && result->error == boost::asio::error::operation_aborted) result->error = ended_by;
  }

  /// Ends the wait before it begins if the scope was stopped and the result has a default.
  bool refuse() {
    if constexpr (std::is_default_constructible_v<result_type>) {
      if (is_stopping()) result.emplace().error = status::cancelled;
    }
    return result.has_value();
  }

  std::optional<result_type> result;
  std::exception_ptr thrown;
};

/// The completion handler. Asio calls it once, on the thread of the loop; the loop resumes the
/// coroutine in its turn.
template <typename Landing>
class handler {
 public:
  using executor_type = operation_executor<>;
  using cancellation_slot_type = boost::asio::cancellation_slot;

  explicit handler(ticket& t) noexcept : ticket_(&t) {}
  handler(handler&& other) noexcept : ticket_(std::exchange(other.ticket_, nullptr)) {}
  handler& operator=(handler&&) = delete;
  ~handler() {
    if (!ticket_) return;
    if (BATON_UNLIKELY(ticket_->waiting && ticket_->waiting->still_waits())) fail();
    ticket_->let_go();
  }

  executor_type get_executor() const noexcept { return executor_type{*ticket_}; }
  cancellation_slot_type get_cancellation_slot() const noexcept { return ticket_->signal.slot(); }

  template <typename... T>
  void operator()(T&&... values) {
    BATON_REQUIRE(handler_on_wrong_thread, own_poller() == ticket_->poller_);
    if (!ticket_->waiting) return;
    Landing& l = static_cast<Landing&>(*ticket_->waiting);
    l.keep(std::forward<T>(values)...);
    l.land();
  }

 private:
  /// Ends the wait of an operation of which an exception has destroyed the handler: a step of it
  /// had no memory.
  BATON_NOINLINE void fail() noexcept {
    BATON_REQUIRE(handler_never_called, std::uncaught_exceptions() != 0 && own_poller() == ticket_->poller_);
    Landing& l = static_cast<Landing&>(*ticket_->waiting);
    l.thrown = std::make_exception_ptr(std::bad_alloc());
    l.land();
  }

  ticket* ticket_;
};

}  // namespace detail

/// The result of a function of Asio for the token `use_baton`: an operation that begins when it is
/// awaited, by a coroutine of a loop whose poller is `asio::poller`.
///
/// Context  Asio calls the handler in the poller's `wait`. The handler puts the coroutine at the
///          tail of the ready queue of its own loop, which resumes it. A stop of its scope, or a
///          deadline (`within(limit, operation)`), asks the operation to end through its
///          cancellation slot; the wait ends when the operation has ended, so the operation may use
///          its buffers until then. A completed operation is not undone: a cancel then comes too
///          late. A coroutine that is destroyed while it waits asks the operation to end; the
///          handlers that Asio still holds are destroyed in the poller's `wait`, not called. A stop
///          before the wait ends it at once; if the result has no default (`async_accept` of a
///          socket), the operation is begun and asked to end.
/// Cost     that of Asio; memory is allocated only when more operations of a poller wait at once
///          than ever before.
/// Errors   BATON_REQUIRE thread_without_poller: the thread has no poller of Asio.
///          handler_never_called: the handler was destroyed without a call, for example because the
///          poller is destroyed while a coroutine waits. handler_on_wrong_thread: the handler was
///          called on a foreign thread; a handler has to be called by its executor. std::bad_alloc:
///          there was no memory for the operation, or for a step of it, and it has ended.
template <typename Signature, typename Initiation, typename... Arguments>
class [[nodiscard]] operation : public async::spi::promise_awaiter {
 public:
  template <typename I, typename... A>
  explicit operation(std::in_place_t, I&& initiation, A&&... arguments)
      : initiation_(std::forward<I>(initiation)), arguments_(std::forward<A>(arguments)...) {}
  operation(const operation& other) : initiation_(other.initiation_), arguments_(other.arguments_) {}
  operation(operation&& other) noexcept
      : initiation_(std::move(other.initiation_)), arguments_(std::move(other.arguments_)) {}
  operation& operator=(const operation&) = delete;

  bool await_ready() const noexcept { return false; }

  template <typename Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) {
    landing_type& l = landing_.emplace(h.promise());
    if (l.refuse()) return l.skip(h);
    start(l);
    if (l.is_stopping()) l.cancel(status::cancelled);
    return l.suspend(h);
  }

  [[nodiscard]] auto await_resume() { return take(); }
  /// It need not be read: a completion without an error of its own, such as that of `post`.
  auto await_resume()
    requires(std::is_same_v<Signature, void()>)
  {
    return take();
  }

  /// For `within`.
  bool is_waiting() const noexcept { return landing_ && landing_->still_waits(); }
  void expire() { landing_->cancel(status::timed_out); }

 private:
  using landing_type = detail::landing<Signature>;

  typename landing_type::result_type take() {
    landing_->resume();
    if (landing_->thrown) std::rethrow_exception(landing_->thrown);
    return std::move(*landing_->result);
  }

  void start(landing_type& l) {
    detail::handler<landing_type> h(l.begin());
    std::apply([&](Arguments&... a) { std::move(initiation_)(std::move(h), std::move(a)...); }, arguments_);
  }

  Initiation initiation_;
  std::tuple<Arguments...> arguments_;
  std::optional<landing_type> landing_;
};

}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER
