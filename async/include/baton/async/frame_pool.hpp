// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/shared_frame_cache.hpp>
#include <baton/async/spi/asan.hpp>
#include <baton/core.hpp>
#include <stddef.h>
#include <stdint.h>

#if __has_include(<new>)
#include <new>
#endif

/// The pool that coroutine frames lie in.
///
/// Every domain has one pool, so an allocation takes no lock. Sizes are rounded up to classes, in
/// steps of 16 bytes (8 on AVR). A free frame is in the list of its class; the frame that was freed
/// last is used first. When a list is empty, a frame is cut from the slab: 4 KiB of the heap, or
/// the memory that `use_for_frames` gave, and then nothing else. A frame beyond the largest class
/// is the heap's own; in fixed memory such frames have one list, which is searched for the size.
///
/// A coroutine may end on another thread than it began on. Its frame then goes to the pool of the
/// thread that frees it. A pool that has freed 64 frames more than it made gives batches of 32 to
/// the program's `shared_frame_cache`; a pool with an empty list looks there before it cuts. A
/// thread that ends leaves all of its free frames there, and the rest of its slab as frames. A slab
/// is never given back.
///
/// The statistics cost two additions a frame: `frames_and_given` counts the frames in use here and
/// the free ones given away; `to_most` counts down to the next maximum. A pool that frees what
/// others made counts below zero there; the sums over all pools are right.
///
/// Do not change alone:
///   - A free frame is poisoned but for its first word: by that link the leak checker finds the
///     slab. Code that reads `bytes` or `next_batch` of a pooled frame unpoisons it first.
///   - `bytes` and `next_batch` share a word: no frame is both a larger one and the first of a
///     batch.
///   - `./baton frames` repeats the rounding; async/tests/boards/frames_agree.py compares.
namespace baton::BATON_VARIANT::async {
namespace detail {

/// True if a port has a heap, which it declares as `has_heap`: the hosts' ports do.
template <typename Port>
constexpr bool has_heap_in(int, decltype(Port::has_heap)* = nullptr) {
  return Port::has_heap;
}
template <typename Port>
constexpr bool has_heap_in(long) {
  return false;
}
constexpr bool has_heap = has_heap_in<port>(0);

/// Free lists of frames by size, in steps of 16 bytes (8 on AVR). A frame above the largest class
/// comes from the heap; in fixed memory such frames have a list of their own. Each domain has one
/// pool, so there is no lock.
struct frame_pool {
  static constexpr size_t step = sizeof(void*) == 2 ? 8 : 16;
  static constexpr size_t classes = sizeof(void*) == 8 ? 64 : 32;
  static constexpr size_t slab = 4096;

  struct free_frame {
    free_frame* next;
    union {
      size_t bytes;            // of a frame above the largest class
      free_frame* next_batch;  // in the cache
    };
  };

  /// A domain that has freed this many frames more than it made gives some away.
  static constexpr size_t surplus = 64;

  static frame_pool& own() { return port::local<frame_pool>::get(); }

  free_frame* free[classes];
  free_frame* larger;
  char* begin;
  char* end;
  bool is_fixed;  // the application's memory, and no other

  // The counters, arranged so that a frame that is made or freed costs two additions.
  ptrdiff_t frames_and_given;  // frames in use here, and free ones that were given to other domains
  size_t given;
  size_t most;        // the most bytes in use at once so far
  ptrdiff_t to_most;  // the bytes that are missing to a new maximum
  size_t held;
};

constexpr size_t class_of(size_t bytes) {
  return (bytes - 1) / frame_pool::step;
}

/// True if the compiler rounds the size of a frame up to its alignment, which a port declares as
/// `rounds_frames`.
template <typename Port>
constexpr bool rounds_frames_in(int, decltype(Port::rounds_frames)* = nullptr) {
  return Port::rounds_frames;
}
template <typename Port>
constexpr bool rounds_frames_in(long) {
  return false;
}

/// The alignment of a frame of this size, where there is a heap. No compiler says what a frame's
/// locals need. If it rounds frames, their size tells. If not, a frame may need an alignment for
/// which it is large enough, beside its promise.
constexpr size_t alignment_of(size_t bytes) {
  if (!has_heap) return frame_pool::step;
  constexpr size_t most = 64;
  if (!rounds_frames_in<port>(0)) return bytes < 160 ? frame_pool::step : bytes < 192 ? most / 2 : most;
  const size_t lowest_bit = bytes & (~bytes + 1);
  return lowest_bit < most ? lowest_bit : most;
}

/// The bytes to leave out so that a frame of this size begins where it is aligned.
inline size_t padding_for(const char* begin, size_t bytes) {
  return -reinterpret_cast<uintptr_t>(begin) & (alignment_of(bytes) - 1);
}

#if __has_include(<new>)
/// Memory for a slab, or for a frame above the largest class, which may need a stricter alignment
/// than that of `operator new`.
BATON_NOINLINE inline void* from_source(size_t bytes, size_t alignment = 1) noexcept {
  if constexpr (has_heap) {
    if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      return ::operator new(bytes, static_cast<std::align_val_t>(alignment), std::nothrow);
    }
    return ::operator new(bytes, std::nothrow);
  }
  return nullptr;
}
BATON_NOINLINE inline void to_source(void* memory, size_t alignment = 1) noexcept {
  if constexpr (has_heap) {
    if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      return ::operator delete(memory, static_cast<std::align_val_t>(alignment));
    }
    ::operator delete(memory);
  }
}
#else
inline void* from_source(size_t, size_t = 1) noexcept {
  return nullptr;
}
inline void to_source(void*, size_t = 1) noexcept {}
#endif

/// The exchange of free frames between threads, on a port with a heap.
template <typename Port>
struct exchange_of_frames {
  using frame = frame_pool::free_frame;
  using cache = shared_frame_cache<frame, frame_pool::classes>;

  /// Takes frames of a class that other threads have given away. Null: there are none.
  static frame* take(frame_pool& pool, size_t which) noexcept {
    frame* first = which < frame_pool::classes ? cache::get().take(which) : nullptr;
    if (first) pool.free[which] = first->next;
    return first;
  }

  /// Gives away up to `at_most` free frames of a class.
  static void give(frame_pool& pool, size_t which, size_t at_most) noexcept {
    frame* first = pool.free[which];
    if (!first) return;
    frame* last = first;
    size_t n = 1;
    for (; n != at_most && last->next; ++n) last = last->next;
    pool.free[which] = last->next;
    last->next = nullptr;
    pool.given += n;
    pool.frames_and_given += static_cast<ptrdiff_t>(n);
    spi::unpoison(&first->next_batch, sizeof(void*));
    cache::get().put(which, first);
  }

  /// Called after a frame was freed: gives frames away on a thread where coroutines of other
  /// threads end.
  static BATON_INLINE void give_surplus(frame_pool& pool, size_t which) noexcept {
    if (BATON_LIKELY(pool.frames_and_given >= -static_cast<ptrdiff_t>(frame_pool::surplus))) return;
    if (!pool.is_fixed) give_batch(pool, which);
  }
  static BATON_NOINLINE void give_batch(frame_pool& pool, size_t which) noexcept { give(pool, which, cache::batch); }

  /// Gives away the frames of a thread that ends; they outlive it.
  struct at_end {
    ~at_end() {
      frame_pool& pool = frame_pool::own();
      if (pool.is_fixed) return;
      cut_up(pool);
      for (size_t which = 0; which != frame_pool::classes; ++which) give(pool, which, ~size_t{0});
    }
    void prepare() {}
  };
  /// Makes free frames of the rest of the slab, each aligned for its size.
  static void cut_up(frame_pool& pool) noexcept {
    while (static_cast<size_t>(pool.end - pool.begin) >= frame_pool::step) {
      const size_t steps = static_cast<size_t>(pool.end - pool.begin) / frame_pool::step;
      size_t which = (steps < frame_pool::classes ? steps : frame_pool::classes) - 1;
      while (padding_for(pool.begin, (which + 1) * frame_pool::step) != 0) --which;
      frame* f = reinterpret_cast<frame*>(pool.begin);
      spi::unpoison(&f->next, sizeof(void*));
      f->next = pool.free[which];
      pool.free[which] = f;
      pool.begin += (which + 1) * frame_pool::step;
    }
  }

#if __has_include(<new>)
  static void give_at_end() {
    static thread_local at_end all;
    all.prepare();
  }
#else
  static void give_at_end() {}
#endif
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
