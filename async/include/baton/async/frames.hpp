// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/shared_frame_cache.hpp>
#include <baton/async/asan.hpp>
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
namespace baton {
namespace async {

/// How much memory a domain's frames take, in bytes. A frame that another loop freed, because its coroutine moved there, is counted there, as
/// minus one: the sums over all domains are right.
struct frame_statistics {
  size_t live;    ///< in frames that are in use, rounded up to their class
  size_t frames;  ///< how many those are
  size_t most;    ///< the most that `live` has been
  size_t held;    ///< taken from the pool's source so far, in use or free
};

namespace detail {

/// Whether a port has a heap, which it says by `has_heap`: the hosts' do.
template <typename Port>
constexpr bool has_heap_in(int, decltype(Port::has_heap)* = nullptr) {
  return Port::has_heap;
}
template <typename Port>
constexpr bool has_heap_in(long) {
  return false;
}
constexpr bool has_heap = has_heap_in<port>(0);

/// Free lists of frames by size, in steps of 16 bytes, on AVR of four pointers. A larger one is the heap's; in fixed memory it has a list of the larger ones.
/// One pool a domain: no lock.
struct frame_pool {
  static constexpr size_t step = sizeof(void*) == 2 ? 8 : 16;
  static constexpr size_t classes = sizeof(void*) == 8 ? 64 : 32;
  static constexpr size_t slab = 4096;

  struct free_frame {
    free_frame* next;
    union {
      size_t bytes;            // of a larger one
      free_frame* next_batch;  // in the cache
    };
  };

  /// How many more frames than it makes a domain frees before it gives some away.
  static constexpr size_t surplus = 64;

  static frame_pool& own() { return port::local<frame_pool>::get(); }

  free_frame* free[classes];
  free_frame* larger;
  char* begin;
  char* end;
  bool is_fixed;  // the application's memory, and no other

  // What is counted, so that a frame that comes or goes costs two additions.
  ptrdiff_t frames_and_given;  // in use here, and free ones that other domains were given
  size_t given;
  size_t most;        // bytes in use at once so far
  ptrdiff_t to_most;  // how many more it takes to be more
  size_t held;
};

constexpr size_t class_of(size_t bytes) {
  return (bytes - 1) / frame_pool::step;
}

}  // namespace detail

/// Memory for frames, aligned as they are: `static async::frame_memory<2048> memory; async::use_for_frames(memory);`
template <size_t Bytes>
struct frame_memory {
  alignas(__BIGGEST_ALIGNMENT__) char bytes[Bytes];
};

/// Gives the domain's pool its memory, and no other: its exhaustion gives an empty `task`. A frame is rounded up to a multiple of
/// 16 bytes (8 on AVR), and what is freed serves frames of the same size: `./baton frames` has the size of each.
/// Context  before the first coroutine; once. Without it the pool takes slabs from the heap, where the port has one, and where it
///          has none the pool is empty: no board's program calls malloc for a frame.
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

inline frame_statistics frames() {
  const detail::frame_pool& pool = detail::frame_pool::own();
  return {pool.most - static_cast<size_t>(pool.to_most), static_cast<size_t>(pool.frames_and_given) - pool.given,
          pool.most, pool.held};
}

namespace detail {

#if __has_include(<new>)
BATON_NOINLINE inline void* from_source(size_t bytes) noexcept {
  if constexpr (has_heap) return ::operator new(bytes, std::nothrow);
  return nullptr;
}
BATON_NOINLINE inline void to_source(void* memory) noexcept {
  if constexpr (has_heap) ::operator delete(memory);
}
#else
inline void* from_source(size_t) noexcept {
  return nullptr;
}
inline void to_source(void*) noexcept {}
#endif

/// What frames are exchanged between threads, on a port with a heap.
template <typename Port>
struct exchange_of_frames {
  using frame = frame_pool::free_frame;
  using cache = shared_frame_cache<frame, frame_pool::classes>;

  /// Frames of a class that others have left over. Null: there are none.
  static frame* take(frame_pool& pool, size_t which) noexcept {
    frame* first = which < frame_pool::classes ? cache::get().take(which) : nullptr;
    if (first) pool.free[which] = first->next;
    return first;
  }

  /// Gives up to a batch of free frames of a class away.
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
    unpoison(&first->next_batch, sizeof(void*));
    cache::get().put(which, first);
  }

  /// After a frame was freed: where coroutines come from other threads, and end here.
  static BATON_INLINE void give_surplus(frame_pool& pool, size_t which) noexcept {
    if (BATON_LIKELY(pool.frames_and_given >= -static_cast<ptrdiff_t>(frame_pool::surplus))) return;
    if (!pool.is_fixed) give_batch(pool, which);
  }
  static BATON_NOINLINE void give_batch(frame_pool& pool, size_t which) noexcept { give(pool, which, cache::batch); }

  /// The thread ends; its frames do not.
  struct at_end {
    ~at_end() {
      frame_pool& pool = frame_pool::own();
      if (pool.is_fixed) return;
      cut_up(pool);
      for (size_t which = 0; which != frame_pool::classes; ++which) give(pool, which, ~size_t{0});
    }
    void prepare() {}
  };
  /// What is left of the slab becomes free frames.
  static void cut_up(frame_pool& pool) noexcept {
    while (static_cast<size_t>(pool.end - pool.begin) >= frame_pool::step) {
      const size_t steps = static_cast<size_t>(pool.end - pool.begin) / frame_pool::step;
      const size_t which = (steps < frame_pool::classes ? steps : frame_pool::classes) - 1;
      frame* f = reinterpret_cast<frame*>(pool.begin);
      unpoison(&f->next, sizeof(void*));
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

/// Cuts a frame from the slab, and takes a new slab when that is used up.
BATON_NOINLINE inline void* cut_frame(frame_pool& pool, size_t bytes) noexcept {
  if constexpr (has_heap) {
    exchange_of_frames<port>::give_at_end();
    const size_t which = class_of(bytes);
    if (void* frame = pool.is_fixed ? nullptr : exchange_of_frames<port>::take(pool, which)) {
      unpoison(frame, bytes);
      return frame;
    }
  }
  if (static_cast<size_t>(pool.end - pool.begin) < bytes) {
    char* more = pool.is_fixed ? nullptr : static_cast<char*>(from_source(frame_pool::slab));
    if (!more) return nullptr;
    pool.begin = more;
    pool.end = more + frame_pool::slab;
    pool.held += frame_pool::slab;
  }
  void* frame = pool.begin;
  pool.begin += bytes;
  unpoison(frame, bytes);
  return frame;
}

/// A frame by which more are in use than ever.
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

/// A frame that is larger than the largest class. In fixed memory it is the first of the same size that is free, or a new one.
BATON_NOINLINE inline void* allocate_larger(frame_pool& pool, size_t bytes) noexcept {
  if (has_heap && !pool.is_fixed) return from_source(bytes);
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
  if (has_heap && !pool.is_fixed) return to_source(frame);
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
  unpoison(frame, rounded);
  pool.free[which] = frame->next;
  return count_frame(pool, frame, rounded);
}

BATON_INLINE void free_here(frame_pool& pool, void* frame, size_t which) noexcept {
  frame_pool::free_frame* f = static_cast<frame_pool::free_frame*>(frame);
  f->next = pool.free[which];
  pool.free[which] = f;
  poison(&f->bytes, (which + 1) * frame_pool::step - sizeof(void*));  // by the link, the leak checker finds the slab
  count_free_frame(pool, (which + 1) * frame_pool::step);
}

BATON_NOINLINE inline void free_of_class(void* frame, size_t which) noexcept {
  free_here(frame_pool::own(), frame, which);
}

/// Null: there is no memory left.
BATON_INLINE void* allocate_frame(size_t bytes) noexcept {
  const size_t which = class_of(bytes);
  if (BATON_UNLIKELY(which >= frame_pool::classes)) return allocate_larger(frame_pool::own(), bytes);
  return allocate_of_class(which);
}

/// Where there is a heap, code is cheap.
BATON_INLINE void free_frame(void* frame, size_t bytes) noexcept {
  const size_t which = class_of(bytes);
  if (BATON_UNLIKELY(which >= frame_pool::classes)) return free_larger(frame_pool::own(), frame, bytes);
  if constexpr (!has_heap) return free_of_class(frame, which);
  frame_pool& pool = frame_pool::own();
  free_here(pool, frame, which);
  if constexpr (has_heap) exchange_of_frames<port>::give_surplus(pool, which);
}

}  // namespace detail
}  // namespace async
}  // namespace baton
