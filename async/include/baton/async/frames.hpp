// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/frame_pool.hpp>
#include <stddef.h>
#include <stdint.h>

/// Memory for coroutine frames, and its statistics.
namespace baton::BATON_VARIANT::async {

/// The memory that a domain's frames take, in bytes. A frame that another loop freed, because its
/// coroutine moved there, is counted there as minus one: the sums over all domains are right.
struct frame_statistics {
  size_t live;    ///< in frames that are in use, rounded up to their class
  size_t frames;  ///< the number of frames in use
  size_t most;    ///< the maximum of `live` so far
  size_t held;    ///< taken from the pool's source so far, in use or free
};

/// Memory for frames, aligned for them:
/// `static async::frame_memory<2048> memory; async::use_for_frames(memory);`
template <size_t Bytes>
struct frame_memory {
  alignas(__BIGGEST_ALIGNMENT__) char bytes[Bytes];
};

/// Gives the domain's pool this memory, and no other: when it is used up, a coroutine gives an
/// empty `task`. A frame is rounded up to a multiple of 16 bytes (8 on AVR), and a freed frame
/// serves again for the same size. On a port with a heap, a frame is aligned for locals of up to
/// 64 bytes' alignment; elsewhere a local must not need more than `frame_memory` has. `./baton
/// frames` shows the size of each frame.
/// Context  once, before the first coroutine. Without it the pool takes slabs from the heap if the
///          port has one; if not, the pool is empty: no board's program calls malloc for a frame.
inline void use_for_frames(void* memory, size_t bytes) {
  detail::frame_pool& pool = detail::frame_pool::own();
  pool.begin = static_cast<char*>(memory);
  pool.end = pool.begin + bytes;
  pool.begin += -reinterpret_cast<uintptr_t>(memory) % __BIGGEST_ALIGNMENT__;
  pool.is_fixed = true;
  pool.held = bytes;
}

template <size_t Bytes>
void use_for_frames(frame_memory<Bytes>& memory) {
  use_for_frames(memory.bytes, Bytes);
}

/// True on ports whose frames come from the heap unless `use_for_frames` has given memory.
constexpr bool frames_have_heap = detail::has_heap;

inline frame_statistics frames() {
  const detail::frame_pool& pool = detail::frame_pool::own();
  return {pool.most - static_cast<size_t>(pool.to_most), static_cast<size_t>(pool.frames_and_given) - pool.given,
          pool.most, pool.held};
}

namespace detail {

/// Cuts a frame from the slab, and takes a new slab when the slab is used up.
BATON_NOINLINE inline void* cut_frame(frame_pool& pool, size_t bytes) noexcept {
  if constexpr (has_heap) {
    exchange_of_frames<port>::give_at_end();
    const size_t which = class_of(bytes);
    if (void* frame = pool.is_fixed ? nullptr : exchange_of_frames<port>::take(pool, which)) {
      spi::unpoison(frame, bytes);
      return frame;
    }
  }
  if (static_cast<size_t>(pool.end - pool.begin) < bytes + padding_for(pool.begin, bytes)) {
    char* more = pool.is_fixed ? nullptr : static_cast<char*>(from_source(frame_pool::slab));
    if (!more) return nullptr;
    pool.begin = more;
    pool.end = more + frame_pool::slab;
    pool.held += frame_pool::slab;
  }
  char* frame = pool.begin + padding_for(pool.begin, bytes);
  pool.begin = frame + bytes;
  spi::unpoison(frame, bytes);
  return frame;
}

/// Counts a frame that makes a new maximum of bytes in use.
BATON_NOINLINE inline void* count_most(frame_pool& pool, void* frame) noexcept {
  pool.most -= static_cast<size_t>(pool.to_most);
  pool.to_most = 0;
  return frame;
}

BATON_INLINE void* count_frame(frame_pool& pool, void* frame, size_t bytes) noexcept {
  ++pool.frames_and_given;
  pool.to_most -= static_cast<ptrdiff_t>(bytes);
  return BATON_LIKELY(pool.to_most >= 0) ? frame : count_most(pool, frame);
}

BATON_INLINE void count_free_frame(frame_pool& pool, size_t bytes) noexcept {
  pool.to_most += static_cast<ptrdiff_t>(bytes);
  --pool.frames_and_given;
}

/// Allocates a frame above the largest class. In fixed memory it is the first free one of the same
/// size, or a new one.
BATON_NOINLINE inline void* allocate_larger(frame_pool& pool, size_t bytes) noexcept {
  if (has_heap && !pool.is_fixed) return from_source(bytes, alignment_of(bytes));
  const size_t rounded = (class_of(bytes) + 1) * frame_pool::step;
  frame_pool::free_frame** link = &pool.larger;
  while (*link && (*link)->bytes != rounded) link = &(*link)->next;
  void* frame = *link;
  if (frame) {
    *link = (*link)->next;
  } else {
    frame = cut_frame(pool, rounded);
    if (!frame) return nullptr;
  }
  return count_frame(pool, frame, rounded);
}

BATON_NOINLINE inline void free_larger(frame_pool& pool, void* frame, size_t bytes) noexcept {
  if (has_heap && !pool.is_fixed) return to_source(frame, alignment_of(bytes));
  frame_pool::free_frame* f = static_cast<frame_pool::free_frame*>(frame);
  f->bytes = (class_of(bytes) + 1) * frame_pool::step;
  f->next = pool.larger;
  pool.larger = f;
  count_free_frame(pool, f->bytes);
}

BATON_NOINLINE inline void* allocate_new(frame_pool& pool, size_t rounded) noexcept {
  void* frame = cut_frame(pool, rounded);
  return frame ? count_frame(pool, frame, rounded) : nullptr;
}

BATON_NOINLINE inline void* allocate_of_class(size_t which) noexcept {
  frame_pool& pool = frame_pool::own();
  const size_t rounded = (which + 1) * frame_pool::step;
  frame_pool::free_frame* frame = pool.free[which];
  if (BATON_UNLIKELY(!frame)) return allocate_new(pool, rounded);
  spi::unpoison(frame, rounded);
  pool.free[which] = frame->next;
  return count_frame(pool, frame, rounded);
}

BATON_INLINE void free_here(frame_pool& pool, void* frame, size_t which) noexcept {
  frame_pool::free_frame* f = static_cast<frame_pool::free_frame*>(frame);
  f->next = pool.free[which];
  pool.free[which] = f;
  // The leak checker finds the slab by the link.
  spi::poison(&f->bytes, (which + 1) * frame_pool::step - sizeof(void*));
  count_free_frame(pool, (which + 1) * frame_pool::step);
}

BATON_NOINLINE inline void free_of_class(void* frame, size_t which) noexcept {
  free_here(frame_pool::own(), frame, which);
}

/// Allocates a frame. Null: there is no memory left.
BATON_INLINE void* allocate_frame(size_t bytes) noexcept {
  const size_t which = class_of(bytes);
  if (BATON_UNLIKELY(which >= frame_pool::classes)) return allocate_larger(frame_pool::own(), bytes);
  return allocate_of_class(which);
}

/// Frees a frame. It is inline on ports with a heap, which have room for code.
BATON_INLINE void free_frame(void* frame, size_t bytes) noexcept {
  const size_t which = class_of(bytes);
  if (BATON_UNLIKELY(which >= frame_pool::classes)) return free_larger(frame_pool::own(), frame, bytes);
  if constexpr (!has_heap) return free_of_class(frame, which);
  frame_pool& pool = frame_pool::own();
  free_here(pool, frame, which);
  if constexpr (has_heap) exchange_of_frames<port>::give_surplus(pool, which);
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
