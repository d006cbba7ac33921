// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/ticks.hpp>
#include <baton/core/time_units.hpp>

/// Spans of time: a type, its literals, and `forever`.
///
///     using namespace baton::literals;
///     BATON_WAIT_FOR(50_ms, button.wait());
///     BATON_WAIT_FOR(baton::milliseconds(patience_), button.wait());
///     co_await within(std::chrono::seconds(2), button.wait());
///
/// A point in time is the port's `tick`, which wraps; a span is a `duration`. A duration and a tick
/// have the same size, and no conversion between them is implicit: a number alone says no unit.
namespace baton {

namespace detail {
struct duration_access;
}

/// A span of time. Every spelling names its unit: `5_ms`, `milliseconds(n)`, `ticks(n)`, or a
/// duration of `std::chrono`.
///
/// Shape    a tick.
/// Units    ticks of the port's clock, rounded up; 0 to `longest_delay`.
/// Cost     a constant is its ticks. `milliseconds(n)` is a comparison and a 32-bit multiplication.
///          A product of two computed numbers divides, too, for the check of its range.
/// Errors   a number without a unit does not compile, and neither does a constant beyond the range.
///          delay_too_long: a computed duration is beyond the range, or a difference is negative.
class duration {
 public:
  constexpr duration() {}

  template <typename Number, detail::if_no_class<Number>* = nullptr>
  duration(Number) {  // NOLINT(google-explicit-constructor): an explicit one would say less
    static_assert(
        detail::never<Number>::value,
        "baton: a number alone is no duration; give it a unit: 50_ms, baton::milliseconds(n), baton::ticks(n)");
  }

  /// Converts a duration of `std::chrono`, or of its shape, that counts whole units. A negative one
  /// is 0.
  template <typename Chrono, detail::if_has_period<Chrono>* = nullptr>
  constexpr duration(const Chrono& other)  // NOLINT(google-explicit-constructor): it has a unit
      : ticks_(detail::chrono_ticks<Chrono>::of(other.count())) {}

  /// The number of ticks.
  BATON_INLINE constexpr tick ticks() const { return ticks_; }

  /// True: a duration ends. See `time_limit`.
  static constexpr bool is_finite() { return true; }

  friend constexpr bool operator==(duration a, duration b) { return a.ticks_ == b.ticks_; }
  friend constexpr bool operator!=(duration a, duration b) { return a.ticks_ != b.ticks_; }
  friend constexpr bool operator<(duration a, duration b) { return a.ticks_ < b.ticks_; }
  friend constexpr bool operator<=(duration a, duration b) { return a.ticks_ <= b.ticks_; }
  friend constexpr bool operator>(duration a, duration b) { return a.ticks_ > b.ticks_; }
  friend constexpr bool operator>=(duration a, duration b) { return a.ticks_ >= b.ticks_; }

  friend constexpr duration operator+(duration a, duration b) {
    return in_range(static_cast<tick>(a.ticks_ + b.ticks_));  // the sum of two cannot wrap
  }
  friend constexpr duration operator-(duration a, duration b) {
    return in_range(static_cast<tick>(a.ticks_ - b.ticks_));  // below zero it wraps to beyond the range
  }
  template <typename Number, detail::if_no_class<Number>* = nullptr>
  friend constexpr duration operator*(duration d, Number n) {
    return of_ticks(detail::product(d.ticks_, detail::whole(n)));
  }
  template <typename Number, detail::if_no_class<Number>* = nullptr>
  friend constexpr duration operator*(Number n, duration d) {
    return d * n;
  }
  template <typename Number, detail::if_no_class<Number>* = nullptr>
  friend constexpr duration operator/(duration d, Number n) {
    return of_ticks(static_cast<tick>(d.ticks_ / detail::whole(n)));
  }
  friend constexpr tick operator/(duration a, duration b) { return a.ticks_ / b.ticks_; }

  duration& operator+=(duration d) { return *this = *this + d; }
  duration& operator-=(duration d) { return *this = *this - d; }

  // A reading of the clock, moved by a duration; and a count of ticks, such as the difference of
  // two readings, compared with one. `Tick` is no other type than `tick`.
  template <typename Tick, detail::if_tick<Tick>* = nullptr>
  friend constexpr tick operator+(Tick t, duration d) {
    return static_cast<tick>(t + d.ticks_);
  }
  template <typename Tick, detail::if_tick<Tick>* = nullptr>
  friend constexpr tick operator-(Tick t, duration d) {
    return static_cast<tick>(t - d.ticks_);
  }
  friend tick& operator+=(tick& t, duration d) { return t = t + d; }
  friend tick& operator-=(tick& t, duration d) { return t = t - d; }
  template <typename Tick, detail::if_tick<Tick>* = nullptr>
  friend constexpr tick operator/(Tick t, duration d) {
    return static_cast<tick>(t / d.ticks_);
  }
  template <typename Tick, detail::if_tick<Tick>* = nullptr>
  friend constexpr tick operator%(Tick t, duration d) {
    return static_cast<tick>(t % d.ticks_);
  }
  template <typename Tick, detail::if_tick<Tick>* = nullptr>
  friend constexpr bool operator==(Tick t, duration d) {
    return t == d.ticks_;
  }
  template <typename Tick, detail::if_tick<Tick>* = nullptr>
  friend constexpr bool operator!=(Tick t, duration d) {
    return t != d.ticks_;
  }
  template <typename Tick, detail::if_tick<Tick>* = nullptr>
  friend constexpr bool operator<(Tick t, duration d) {
    return t < d.ticks_;
  }
  template <typename Tick, detail::if_tick<Tick>* = nullptr>
  friend constexpr bool operator<=(Tick t, duration d) {
    return t <= d.ticks_;
  }
  template <typename Tick, detail::if_tick<Tick>* = nullptr>
  friend constexpr bool operator>(Tick t, duration d) {
    return t > d.ticks_;
  }
  template <typename Tick, detail::if_tick<Tick>* = nullptr>
  friend constexpr bool operator>=(Tick t, duration d) {
    return t >= d.ticks_;
  }

 private:
  friend constexpr duration ticks(tick count);
  friend struct detail::duration_access;

  struct counted {};
  constexpr duration(tick count, counted) : ticks_(count) {}
  static constexpr duration of_ticks(tick count) { return duration(count, counted()); }
  static constexpr duration in_range(tick count) { return of_ticks(detail::in_range(count)); }

  tick ticks_ = 0;
};

/// The type of `forever`.
struct forever_t {
  static constexpr bool is_finite() { return false; }
  static BATON_INLINE constexpr tick ticks() { return static_cast<tick>(-1); }
};

/// The limit of a wait that has none: `BATON_WAIT_FOR(forever, ...)` is `BATON_WAIT(...)`.
constexpr forever_t forever{};

/// The limit of a wait, chosen at run time: a duration, or `forever`.
///
/// Shape    a tick; the highest one is `forever`.
/// Cost     a comparison where it is used, which a `duration` does not cost; no call without
///          optimisation.
class time_limit {
 public:
  BATON_INLINE constexpr time_limit(forever_t)  // NOLINT(google-explicit-constructor)
      : ticks_(forever_t::ticks()) {}
  BATON_INLINE constexpr time_limit(duration d) : ticks_(d.ticks()) {}  // NOLINT(google-explicit-constructor)
  template <typename Chrono, detail::if_has_period<Chrono>* = nullptr>
  constexpr time_limit(const Chrono& other) : time_limit(duration(other)) {}  // NOLINT(google-explicit-constructor)
  template <typename Number, detail::if_no_class<Number>* = nullptr>
  time_limit(Number n) : time_limit(duration(n)) {}  // NOLINT(google-explicit-constructor): does not compile

  constexpr bool is_finite() const { return ticks_ != forever_t::ticks(); }
  BATON_INLINE constexpr tick ticks() const { return ticks_; }

  friend constexpr bool operator==(time_limit a, time_limit b) { return a.ticks_ == b.ticks_; }
  friend constexpr bool operator!=(time_limit a, time_limit b) { return a.ticks_ != b.ticks_; }
  friend constexpr bool operator<(time_limit a, time_limit b) { return a.ticks_ < b.ticks_; }

 private:
  tick ticks_;
};

namespace detail {

struct duration_access {
  static constexpr duration of_ticks(tick count) { return duration::of_ticks(count); }
};

}  // namespace detail

/// A duration of `count` microseconds, rounded up to the clock's resolution.
/// Errors   a fraction does not compile; a constant that is negative or beyond `longest_delay` does
///          not, with optimisation on; at run time such a count is BATON_REQUIRE delay_too_long.
BATON_INLINE duration microseconds(uint32_t count) {
  return detail::duration_access::of_ticks(detail::ticks_of<1000000>(count));
}
template <typename Number, detail::if_no_class<Number>* = nullptr>
BATON_INLINE duration microseconds(Number count) {
  return microseconds(detail::count_of(count));
}

/// A duration of `count` milliseconds; as `microseconds`.
BATON_INLINE duration milliseconds(uint32_t count) {
  return detail::duration_access::of_ticks(detail::ticks_of<1000>(count));
}
template <typename Number, detail::if_no_class<Number>* = nullptr>
BATON_INLINE duration milliseconds(Number count) {
  return milliseconds(detail::count_of(count));
}

/// A duration of `count` seconds; as `microseconds`.
BATON_INLINE duration seconds(uint32_t count) {
  return detail::duration_access::of_ticks(detail::ticks_of<1>(count));
}
template <typename Number, detail::if_no_class<Number>* = nullptr>
BATON_INLINE duration seconds(Number count) {
  return seconds(detail::count_of(count));
}

/// A duration of `count` ticks of the port's clock; as `microseconds`.
constexpr duration ticks(tick count) {
  return duration::in_range(count);
}

/// Durations as literals: whole decimal numbers. A literal is a constant for every compiler, with
/// or without optimisation.
/// Errors   a literal beyond `longest_delay` does not compile.
inline namespace literals {

template <char... Digits>
constexpr duration operator""_us() {
  return detail::duration_access::of_ticks(detail::literal<1000000, Digits...>::ticks);
}
template <char... Digits>
constexpr duration operator""_ms() {
  return detail::duration_access::of_ticks(detail::literal<1000, Digits...>::ticks);
}
template <char... Digits>
constexpr duration operator""_s() {
  return detail::duration_access::of_ticks(detail::literal<1, Digits...>::ticks);
}

}  // namespace literals
}  // namespace baton
