// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/mpsc_list.hpp>
#include <stddef.h>

namespace baton::BATON_VARIANT::async {
namespace detail {

/// Free frames that no thread has: of threads that have ended, and of those that free more than they make because coroutines come to them from
/// others. Who has none of a size looks here before it takes more memory.
///
/// Shape    one a program; lists of batches by size, under a lock that is held for a few instructions: a batch goes out as it came in. The first frame
///          of one has the link to the next in its second word.
/// Context  any thread, where its own lists do not do.
template <typename Frame, size_t Classes>
class shared_frame_cache {
 public:
  /// How many frames are given away at once.
  static constexpr size_t batch = 32;

  static shared_frame_cache& get() {
    static shared_frame_cache only;
    return only;
  }

  /// Takes in a batch, linked by `next`.
  void put(size_t which, Frame* first) noexcept {
    lock();
    first->next_batch = batches_[which];
    __atomic_store_n(&batches_[which], first, __ATOMIC_RELAXED);
    unlock();
  }

  /// Gives a batch. Null: there is none.
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
    while (__atomic_exchange_n(&is_locked_, true, __ATOMIC_ACQUIRE)) give_way_in<port>(0);
  }
  void unlock() noexcept { __atomic_store_n(&is_locked_, false, __ATOMIC_RELEASE); }

  bool is_locked_ = false;
  Frame* batches_[Classes] = {};
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
