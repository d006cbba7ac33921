// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/ring.hpp>

/// Service-provider interface of core: the store of a channel.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
namespace baton {
namespace spi {

/// The values of a channel that nobody has taken yet.
///
/// Shape    `Capacity` values of `T`, inline, oldest first; nothing for a rendezvous, whose
///          `Capacity` is 0.
/// Context  one thread at a time; nothing is waited for.
/// Errors   `put` gives false if there is no room, `take` if there is no value.
template <typename T, uint8_t Capacity>
struct channel_store {
  static_assert(Capacity <= 128 && (Capacity & (Capacity - 1)) == 0,
                "Capacity must be 0, for a rendezvous, or a power of two up to 128");

  BATON_INLINE bool put(const T& value) { return values.push(value) == status::ok; }
  BATON_INLINE bool take(T& value) { return values.pop(value) == status::ok; }

  ring<T, Capacity> values;
};

template <typename T>
struct channel_store<T, 0> {
  BATON_INLINE bool put(const T&) { return false; }
  BATON_INLINE bool take(T&) { return false; }
};

}  // namespace spi
}  // namespace baton
