// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/frames.hpp>

/// Service-provider interface of async: memory of the pool that coroutine frames lie in.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
namespace baton::BATON_VARIANT::async::spi {

/// Takes `bytes` of the domain's pool, aligned as a frame is. Null: there is no memory left.
/// Context  any thread that has a domain.
/// Cost     that of a coroutine's frame; counted in `frames()`.
BATON_INLINE void* allocate_frame(size_t bytes) noexcept {
  return detail::allocate_frame(bytes);
}

/// Gives back what `allocate_frame` gave for the same `bytes`, on any thread.
BATON_INLINE void free_frame(void* frame, size_t bytes) noexcept {
  detail::free_frame(frame, bytes);
}

}  // namespace baton::BATON_VARIANT::async::spi
