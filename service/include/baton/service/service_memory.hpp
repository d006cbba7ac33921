// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <baton/async/asan.hpp>
#include <baton/service/chunk_allocator.hpp>

/// Where the services of a worker lie.
namespace baton::BATON_VARIANT::service::detail {

/// Memory for services of all sizes, one behind the other.
///
/// Shape    a list of free pieces a size, in steps of 16 bytes; what is new is cut from chunks, so that many services lie in few large pages.
///          A program that is compiled with AddressSanitizer may not touch a free piece.
/// Context  one thread. Who ends it has given everything back.
/// Cost     a few instructions; a chunk's memory for each 64 KiB that are in use for the first time.
class service_memory {
 public:
  static constexpr size_t step = 16;
  static constexpr size_t largest = 2048;
  static_assert(step >= sizeof(void*) && chunk_allocator::bytes % step == 0);

  service_memory() = default;
  service_memory(const service_memory&) = delete;
  service_memory& operator=(const service_memory&) = delete;

  /// At most `largest` bytes, aligned to `step`. Throws std::bad_alloc, and nothing has happened.
  void* take(size_t bytes) {
    piece*& free = free_[class_of(bytes)];
    if (!free) return cut(rounded(bytes));
    piece* const p = free;
    free = p->next;
    async::detail::unpoison(p, rounded(bytes));
    return p;
  }

  /// What `take` gave for as many bytes.
  void give(void* memory, size_t bytes) noexcept {
    piece* const p = ::new (memory) piece{free_[class_of(bytes)]};
    free_[class_of(bytes)] = p;
    async::detail::poison(p + 1, rounded(bytes) - sizeof *p);
  }

 private:
  struct piece {
    piece* next;
  };

  static constexpr size_t class_of(size_t bytes) { return (bytes - 1) / step; }
  static constexpr size_t rounded(size_t bytes) { return (class_of(bytes) + 1) * step; }

  void* cut(size_t bytes) {
    if (static_cast<size_t>(end_ - rest_) < bytes) {
      rest_ = memory_.take();
      end_ = rest_ + chunk_allocator::bytes;
    }
    return std::exchange(rest_, rest_ + bytes);
  }

  chunk_allocator memory_{128};  // 8 MiB: half a large page more or less is little then
  char* rest_ = nullptr;
  char* end_ = nullptr;
  std::array<piece*, largest / step> free_{};
};

}  // namespace baton::BATON_VARIANT::service::detail
