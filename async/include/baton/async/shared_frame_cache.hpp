// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/mpsc_list.hpp>
#include <stddef.h>

namespace baton::BATON_VARIANT::async {
namespace detail {

/// Free frames that belong to no thread: from threads that have ended, and from threads that free
/// more frames than they make because coroutines come to them from other threads. A thread that has
/// no free frame of a size looks here before it takes more memory.
///
/// Shape    one per program; lists of batches by size, under a lock that is held for a few
///          instructions. A batch leaves as it came. The first frame of a batch holds the link to
///          the next batch in its second word.
/// Context  any thread whose own lists have too few or too many frames.
template <typename Frame, size_t Classes>
class shared_frame_cache {
 public:
  /// The number of frames that are given away at once.
  static constexpr size_t batch = 32;

  static shared_frame_cache& get() {
    static shared_frame_cache only;
    return only;
  }

  /// Takes in a batch of frames, linked by `next`.
  void put(size_t which, Frame* first) noexcept {
    lock();
    first->next_batch = batches_[which];
    __atomic_store_n(&batches_[which], first, __ATOMIC_RELAXED);
    unlock();
  }

  /// Takes a batch out. Null: there is none.
  Frame* take(size_t which) noexcept {
    if (!__atomic_load_n(&batches_[which], __ATOMIC_RELAXED)) return nullptr;
    lock();
    Frame* const first = batches_[which];
    if (first) __atomic_store_n(&batches_[which], first->next_batch, __ATOMIC_RELAXED);
    unlock();
    return first;
  }

 private:
  void lock() noexcept {
    while (__atomic_exchange_n(&is_locked_, true, __ATOMIC_ACQUIRE)) spi::give_way();
  }
  void unlock() noexcept { __atomic_store_n(&is_locked_, false, __ATOMIC_RELEASE); }

  bool is_locked_ = false;
  Frame* batches_[Classes] = {};
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
