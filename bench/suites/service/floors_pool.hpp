// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <stddef.h>

#include <new>
#include <utility>
#include <vector>

// Memory of one size, for the links of the minimal registry.

namespace suite_service {
namespace minimal {

/// Blocks for one `T` each, in chunks of some 64 KiB. One thread.
template <typename T>
class pool {
 public:
  pool() = default;
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;
  ~pool() {
    for (place* s : slabs_) delete[] s;
  }

  BATON_INLINE void* take() {
    if (BATON_UNLIKELY(!free_)) cut();
    return std::exchange(free_, free_->next);
  }
  BATON_INLINE void give(T* memory) { free_ = ::new (memory) place{free_}; }

 private:
  union place {
    place* next;
    alignas(T) char bytes[sizeof(T)];
  };
  static constexpr size_t together = (1 << 16) / sizeof(place);

  BATON_NOINLINE void cut() {
    place* const all = new place[together];
    slabs_.push_back(all);
    for (size_t i = 0; i != together; ++i) all[i].next = i + 1 == together ? nullptr : &all[i + 1];
    free_ = all;
  }

  place* free_ = nullptr;
  std::vector<place*> slabs_;
};

}  // namespace minimal
}  // namespace suite_service
