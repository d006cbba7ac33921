// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/spi/value_traits.hpp>
#include <stdint.h>

/// Service-provider interface of core: the store of a channel.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
namespace baton {
namespace spi {

constexpr bool is_power_of_two(uint32_t n) {
  return (n & (n - 1)) == 0;
}

/// The type of a cursor that counts to twice `Capacity`.
template <bool IsByte, bool IsHalfWord>
struct cursor_type {
  using type = uint8_t;
};
template <>
struct cursor_type<false, true> {
  using type = uint16_t;
};
template <>
struct cursor_type<false, false> {
  using type = uint32_t;
};
template <uint16_t Capacity>
using cursor_of = typename cursor_type<(Capacity <= 128), (Capacity <= 32768)>::type;

/// The slots of a store: an array of values.
template <typename T, uint16_t Capacity,
          bool IsArray = __is_trivially_copyable(T) && value_traits<T>::has_default_constructor>
struct slots {
  template <typename From>
  BATON_INLINE void fill(uint16_t i, From&& from) {
    values[i] = static_cast<From&&>(from);
  }
  template <typename To>
  BATON_INLINE void empty_into(uint16_t i, To& to) {
    to = static_cast<T&&>(values[i]);
  }
  BATON_INLINE void clear(uint16_t) {}
  static constexpr bool must_be_cleared = false;

  T values[Capacity] = {};
};

/// The same, in memory where a value is constructed when it is stored and destroyed when it is
/// taken.
template <typename T, uint16_t Capacity>
struct slots<T, Capacity, false> {
  union slot {
    constexpr slot() : nothing() {}
    ~slot() {}  // NOLINT(modernize-use-equals-default): a union with such a member has none
    char nothing;
    T value;
  };

  template <typename From>
  void fill(uint16_t i, From&& from) {
    ::new (static_cast<void*>(&values[i].value), in_memory()) T(static_cast<From&&>(from));
  }
  template <typename To>
  void empty_into(uint16_t i, To& to) {
    to = static_cast<T&&>(values[i].value);
    clear(i);
  }
  void clear(uint16_t i) { values[i].value.~T(); }
  static constexpr bool must_be_cleared = !BATON_IS_TRIVIALLY_DESTRUCTIBLE(T);

  slot values[Capacity];
};

/// The values of a channel that nobody has taken yet.
///
/// Shape    `Capacity` values of `T`, inline, oldest first; nothing for a rendezvous, whose
///          `Capacity` is 0. Each cursor counts to twice the capacity, so that a full store differs
///          from an empty one: a byte up to 128 values, two bytes up to 32,768, four beyond.
/// Context  one thread at a time; nothing is waited for. If a copy throws in `put`, nothing has
///          been stored.
/// Errors   `put` gives false if there is no room, `take` if there is no value.
template <typename T, uint16_t Capacity>
struct channel_store {
  using cursor = cursor_of<Capacity>;

  constexpr channel_store() = default;
  channel_store(const channel_store&) = delete;
  channel_store& operator=(const channel_store&) = delete;
  ~channel_store() {
    if (!slots<T, Capacity>::must_be_cleared) return;
    for (; !is_empty(); step(head_)) values_.clear(index_of(head_));
  }

  template <typename From>
  BATON_INLINE bool put(From&& value) {
    if (is_full()) return false;
    values_.fill(index_of(tail_), static_cast<From&&>(value));
    step(tail_);
    return true;
  }

  template <typename To>
  BATON_INLINE bool take(To& value) {
    if (is_empty()) return false;
    values_.empty_into(index_of(head_), value);
    step(head_);
    return true;
  }

  BATON_INLINE bool is_empty() const { return head_ == tail_; }
  BATON_INLINE bool is_full() const {
    if (wraps) return static_cast<cursor>(tail_ - head_) == Capacity;
    return head_ == static_cast<cursor>(tail_ < Capacity ? tail_ + Capacity : tail_ - Capacity);
  }

 private:
  // The double of a power of two divides the range of its cursor, which therefore wraps by itself.
  static constexpr bool wraps = is_power_of_two(Capacity);

  static BATON_INLINE uint16_t index_of(cursor c) {
    if (wraps) return static_cast<uint16_t>(c & (Capacity - 1u));
    return static_cast<uint16_t>(c < Capacity ? c : c - Capacity);
  }
  static BATON_INLINE void step(cursor& c) {
    c = static_cast<cursor>(c + 1u);
    if (!wraps && c == 2u * uint32_t{Capacity}) c = 0;
  }

  slots<T, Capacity> values_;
  cursor head_ = 0;
  cursor tail_ = 0;
};

template <typename T>
struct channel_store<T, 0> {
  template <typename From>
  BATON_INLINE bool put(From&&) {
    return false;
  }
  template <typename To>
  BATON_INLINE bool take(To&) {
    return false;
  }
  static constexpr bool is_empty() { return true; }
  static constexpr bool is_full() { return true; }
};

}  // namespace spi
}  // namespace baton
