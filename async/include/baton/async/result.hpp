// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/failure.hpp>
#include <baton/core.hpp>

namespace baton::BATON_VARIANT::async {

#if BATON_ASYNC_THROWS

/// Exception that `result<T>::value()` throws. `why` says how the operation ended.
struct bad_result : std::exception {
  explicit bad_result(status s) noexcept : why(s) {}
  const char* what() const noexcept override { return "baton: a result without a value"; }

  status why;
};

namespace detail {
[[noreturn]] BATON_NOINLINE inline void no_value(status why) {
  throw bad_result(why);
}
}  // namespace detail

#else

namespace detail {
[[noreturn]] BATON_NOINLINE inline void no_value(status) {
  for (;;) BATON_REQUIRE(value_of_failed_result, false);
}
}  // namespace detail

#endif

/// A value, or the status that says why there is none: the result of a wait that may end without a
/// value.
///
///     async::result<answer> a =
///         co_await async::within(5_ms, async::call(db, query{42}));
///     if (!a) co_return report(a.status());
///     use(*a);
///
/// Shape    room for `T`, and a byte.
/// Errors   `value()` without a value throws `bad_result` if exceptions are on, and is
///          BATON_REQUIRE value_of_failed_result if they are off. `*` and `->` without a value are
///          BATON_REQUIRE access_to_failed_result. ok_result_without_value: the result is
///          constructed from `ok` without a value.
template <typename T>
class [[nodiscard]] result {
  static constexpr bool is_copied = requires(const T& from) { static_cast<T>(from); };
  static constexpr bool is_status = __is_same(T, baton::status);
  static constexpr bool move_is_noexcept = noexcept(static_cast<T>(static_cast<T&&>(*static_cast<T*>(nullptr))));

 public:
  using value_type = T;

  result(const T& value)  // NOLINT(google-explicit-constructor)
    requires(is_copied && !is_status)
      : status_(baton::status::ok) {
    put(value);
  }
  result(T&& value)  // NOLINT(google-explicit-constructor)
    requires(!is_status)
      : status_(baton::status::ok) {
    put(detail::move(value));
  }
  result(baton::status why) : status_(why) {  // NOLINT(google-explicit-constructor)
    BATON_REQUIRE(ok_result_without_value, why != baton::status::ok);
  }
  result(const result& other)
    requires(is_copied)
      : status_(other.status_) {
    if (other) put(other.value_);
  }
  // NOLINTNEXTLINE(performance-noexcept-move-constructor,bugprone-exception-escape): as T
  result(result&& other) noexcept(move_is_noexcept) : status_(other.status_) {
    if (other) put(detail::move(other.value_));
  }
  result& operator=(const result& other)
    requires(is_copied)
  {
    return *this = result(other);
  }
  /// Errors   if the move of a value throws, the result is without a value: `cancelled`.
  // NOLINTNEXTLINE(performance-noexcept-move-constructor,bugprone-exception-escape): as T
  result& operator=(result&& other) noexcept(move_is_noexcept) {
    if (this == &other) return *this;
    drop();
    status_ = baton::status::cancelled;  // until there is a value
    if (other) put(detail::move(other.value_));
    status_ = other.status_;
    return *this;
  }
  ~result() { drop(); }

  /// The result with a value, also where the value is a status.
  static result of(T value) {
    result made(baton::status::cancelled);
    made.put(detail::move(value));
    made.status_ = baton::status::ok;
    return made;
  }

  explicit operator bool() const noexcept { return status_ == baton::status::ok; }
  bool has_value() const noexcept { return status_ == baton::status::ok; }

  /// `ok` if there is a value.
  baton::status status() const noexcept { return status_; }

  T& value() & {
    if (BATON_UNLIKELY(!*this)) detail::no_value(status_);
    return value_;
  }
  const T& value() const& {
    if (BATON_UNLIKELY(!*this)) detail::no_value(status_);
    return value_;
  }
  T value() && {
    if (BATON_UNLIKELY(!*this)) detail::no_value(status_);
    return detail::move(value_);
  }

  T value_or(T otherwise) const& { return *this ? value_ : detail::move(otherwise); }
  T value_or(T otherwise) && { return *this ? detail::move(value_) : detail::move(otherwise); }

  T& operator*() & { return checked(); }
  const T& operator*() const& { return const_cast<result*>(this)->checked(); }
  T&& operator*() && { return detail::move(checked()); }
  T* operator->() { return &checked(); }
  const T* operator->() const { return &const_cast<result*>(this)->checked(); }

 private:
  template <typename U>
  void put(U&& value) {
    ::new (static_cast<void*>(&value_), in_place()) T(detail::forward<U>(value));
  }
  void drop() noexcept {
    if constexpr (!BATON_IS_TRIVIALLY_DESTRUCTIBLE(T)) {
      if (*this) destroy(value_);
    }
  }
  // g++ loses track of the status that belongs to the value: with this inlined, it warns of an
  // uninitialized value.
  BATON_NOINLINE static void destroy(T& value) noexcept { value.~T(); }

  T& checked() {
    BATON_REQUIRE(access_to_failed_result, has_value());
    return value_;
  }

  using in_place = detail::in_place;

  union {
    T value_;
  };
  baton::status status_;
};

/// A reference, or the status that says why there is none.
template <typename T>
class [[nodiscard]] result<T&> {
 public:
  using value_type = T&;

  result(T& value) noexcept : to_(&value), status_(baton::status::ok) {}  // NOLINT(google-explicit-constructor)
  result(baton::status why) noexcept : status_(why) {                     // NOLINT(google-explicit-constructor)
    BATON_REQUIRE(ok_reference_without_value, why != baton::status::ok);
  }
  static result of(T& value) noexcept { return result(value); }

  explicit operator bool() const noexcept { return status_ == baton::status::ok; }
  bool has_value() const noexcept { return status_ == baton::status::ok; }
  baton::status status() const noexcept { return status_; }

  T& value() const {
    if (BATON_UNLIKELY(!*this)) detail::no_value(status_);
    return *to_;
  }
  T& operator*() const {
    BATON_REQUIRE(access_to_failed_reference, has_value());
    return *to_;
  }
  T* operator->() const { return &**this; }

 private:
  T* to_ = nullptr;
  baton::status status_;
};

namespace detail {

/// The result of a task with an end of another kind, such as a deadline. A task that gives a status
/// has one of its own.
template <typename T>
struct ended_type_of {
  using type = result<T>;
  static type make(result<T>&& r) { return detail::move(r); }
};
template <>
struct ended_type_of<status> {
  using type = status;
  static type make(const result<status>& r) noexcept { return r ? *r : r.status(); }
};
template <typename T>
using ended_type = typename ended_type_of<T>::type;

/// The result of something that may also end by a status: its own type, if that says a status.
template <typename T>
struct status_type_of {
  using type = ended_type<T>;
  static type make(result<T>&& r) { return ended_type_of<T>::make(detail::move(r)); }
};
template <typename T>
struct status_type_of<result<T>> {
  using type = result<T>;
  static type make(result<type>&& r) { return r ? detail::move(*r) : type(r.status()); }
};

}  // namespace detail

/// The result of something that has no value: only the status it ended with.
template <>
class [[nodiscard]] result<void> {
 public:
  using value_type = void;

  result() noexcept = default;
  result(baton::status how) noexcept : status_(how) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const noexcept { return status_ == baton::status::ok; }
  bool has_value() const noexcept { return status_ == baton::status::ok; }
  baton::status status() const noexcept { return status_; }
  void value() const {
    if (BATON_UNLIKELY(!*this)) detail::no_value(status_);
  }

 private:
  baton::status status_ = baton::status::ok;
};

}  // namespace baton::BATON_VARIANT::async
