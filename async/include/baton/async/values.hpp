// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/await.hpp>
#include <baton/async/mutex.hpp>
#include <baton/async/result.hpp>
#include <baton/core/spi/temporaries.hpp>

/// Operations whose result, a value or a lock, is what co_await returns. For C++20 coroutines: the
/// value is in the frame.
namespace baton::BATON_VARIANT::async {

/// A mutex, or a unit of a semaphore, that is held until the end of a block.
///
/// Shape    a pointer; can be moved.
template <typename Primitive>
class [[nodiscard]] BATON_MOVES_AS_BYTES held {
 public:
  explicit held(Primitive& p) noexcept : what_(&p) {}
  held(held&& other) noexcept : what_(detail::exchange<Primitive*>(other.what_, nullptr)) {}
  held& operator=(held&& other) noexcept {
    Primitive* mine = what_;
    what_ = other.what_;
    other.what_ = mine;
    return *this;
  }
  ~held() { release(); }

  /// Gives the mutex or the unit back before the end of the block. Idempotent.
  void release() noexcept {
    if (Primitive* p = detail::exchange<Primitive*>(what_, nullptr)) give_back(*p);
  }

 private:
  static void give_back(mutex& m) noexcept { m.unlock(); }
  static void give_back(semaphore& s) noexcept { static_cast<void>(s.release()); }

  Primitive* what_;
};

namespace detail {

/// Room for a value that will be received: a variable; for a type without a default constructor
/// memory, which a trivially copyable value is written to and any other is constructed in.
template <typename T>
struct room_for {
  static constexpr bool is_landing = false;
  T& place() noexcept { return value; }
  T value{};
};
template <typename T>
  requires(!baton::spi::value_traits<T>::has_default_constructor && __is_trivially_copyable(T))
struct room_for<T> {
  static constexpr bool is_landing = false;
  room_for() noexcept {}
  T& place() noexcept { return value; }
  union {
    T value;
  };
};
template <typename T>
  requires(!baton::spi::value_traits<T>::has_default_constructor && !__is_trivially_copyable(T))
struct room_for<T> : baton::spi::landing<T> {
  static constexpr bool is_landing = true;
  baton::spi::landing<T>& place() noexcept { return *this; }
};

template <typename T, uint16_t Capacity>
struct [[nodiscard]] receive_value {
  static constexpr bool selectable = false;
  static constexpr bool may_throw = baton::spi::value_traits<T>::copy_may_throw;
  static constexpr bool marks_waiter = room_for<T>::is_landing;
  static constexpr bool takes = true;
  explicit receive_value(channel<T, Capacity>& c) : source(&c) {}
  receive_value(const receive_value& other) : source(other.source) {}  // before it waits: there is no value

  BATON_INLINE bool try_now(waiter& w) noexcept(!may_throw) { return source->receive(room.place()).try_now(w); }
  BATON_INLINE void suspend(waiter& w) noexcept {
    source->receive(room.place()).suspend(w);
    if constexpr (room_for<T>::is_landing) w.at = baton::spi::landing_mark;
  }
  static bool withdraw(waiter& w) noexcept { return list_wait::withdraw(w); }
  result<T> outcome(status s) {
    if (s != status::ok) return s;
    return detail::move(room.value);
  }

  channel<T, Capacity>* source;
  room_for<T> room;
};

template <typename Request, typename Reply>
struct [[nodiscard]] call_value {
  using sent = baton::spi::sent<Request>;
  static constexpr bool selectable = false;
  static constexpr bool may_throw = endpoint<Request, Reply>::call_operation::may_throw;
  call_value(endpoint<Request, Reply>& e, sent r) noexcept(!may_throw) : target(&e) {
    x.request = static_cast<sent>(r);
  }

  template <typename Waiter>
  BATON_INLINE bool try_now(Waiter& w) noexcept {
    return target->call(x).try_now(w);
  }
  BATON_INLINE void suspend(waiter& w) noexcept(!may_throw) { target->call(x).suspend(w); }
  static bool withdraw(waiter& w) noexcept { return endpoint<Request, Reply>::call_operation::withdraw(w); }
  result<Reply> outcome(status s) {
    if (s != status::ok) return s;
    return detail::move(x.reply);
  }

  endpoint<Request, Reply>* target;
  baton::exchange<Request, Reply> x;
};

template <typename Primitive, typename Operation>
struct [[nodiscard]] hold_operation : Operation {
  static constexpr bool selectable = false;
  explicit hold_operation(Primitive& p, const Operation& o) noexcept : Operation(o), held_one(&p) {}

  result<held<Primitive>> outcome(status s) noexcept {
    if (s != status::ok) return s;
    return held<Primitive>(*held_one);
  }
  void give_back() noexcept { held<Primitive> h(*held_one); }

  Primitive* held_one;
};

}  // namespace detail

/// For co_await: a value of a channel, as `result<T>`. `T` needs no default constructor.
template <typename T, uint16_t Capacity>
detail::receive_value<T, Capacity> receive(channel<T, Capacity>& c) {
  return detail::receive_value<T, Capacity>(c);
}

/// For co_await: calls an endpoint and returns the reply, as `result<Reply>`.
///
///     async::result<std::string> name = co_await async::call(names, 7);
///
/// Cost     the request is copied into the frame, or moved if it has no copy; `call(exchange)` of
///          the endpoint does not copy it.
/// Errors   a copy that throws: see `endpoint`.
template <typename Request, typename Reply>
detail::call_value<Request, Reply> call(endpoint<Request, Reply>& e, baton::spi::sent<Request> r) noexcept(
    !detail::call_value<Request, Reply>::may_throw) {
  return detail::call_value<Request, Reply>(e, static_cast<baton::spi::sent<Request>>(r));
}
template <typename Request, typename Reply>
  requires(baton::spi::refuses_temporary<Request>)
detail::call_value<Request, Reply> call(endpoint<Request, Reply>& e, detail::exactly<Request>&& r) {
  return baton::spi::refuse_temporary<Request>(), call(e, r);
}

/// For co_await: locks a mutex, and unlocks it at the end of the block:
/// `auto lock = co_await async::hold(m); if (!lock) ...`.
inline detail::hold_operation<mutex, mutex::lock_operation> hold(mutex& m) noexcept {
  return detail::hold_operation<mutex, mutex::lock_operation>(m, m.lock());
}

/// For co_await: takes a unit of a semaphore, and gives it back at the end of the block.
inline detail::hold_operation<semaphore, semaphore::wait_operation> hold(semaphore& s) noexcept {
  return detail::hold_operation<semaphore, semaphore::wait_operation>(s, s.acquire());
}

}  // namespace baton::BATON_VARIANT::async
