// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <baton/async/spi/asan.hpp>
#include <baton/service/chunk_allocator.hpp>

/// Memory for the services of a worker.
namespace baton::BATON_VARIANT::service::detail {

/// Memory for services of all sizes, one behind the other.
///
/// Shape    a list of free pieces per size, in steps of 16 bytes. A new piece is cut from a chunk,
///          so that many services lie in few large pages. Under AddressSanitizer a free piece must
///          not be touched.
/// Context  one thread. All pieces are given back before the memory is destroyed.
/// Cost     a few instructions; new memory only when more is in use than ever before.
class service_memory {
 public:
  static constexpr size_t step = 16;
  static constexpr size_t largest = 2048;
  static_assert(step >= sizeof(void*) && chunk_allocator::bytes % step == 0);

  service_memory() = default;
  service_memory(const service_memory&) = delete;
  service_memory& operator=(const service_memory&) = delete;

  /// Returns at most `largest` bytes, aligned to `step`.
  /// Errors   std::bad_alloc: nothing has happened.
  void* take(size_t bytes) {
    piece*& free = free_[class_of(bytes)];
    if (!free) return cut(rounded(bytes));
    piece* const p = free;
    free = p->next;
    async::spi::unpoison(p, rounded(bytes));
    return p;
  }

  /// Gives back a piece that `take` returned for as many bytes.
  void give(void* memory, size_t bytes) noexcept {
    piece* const p = ::new (memory) piece{free_[class_of(bytes)]};
    free_[class_of(bytes)] = p;
    async::spi::poison(p + 1, rounded(bytes) - sizeof *p);
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

  chunk_allocator memory_{128};  // 8 MiB of the heap: beyond that, half a large page of waste is little
  char* rest_ = nullptr;
  char* end_ = nullptr;
  std::array<piece*, largest / step> free_{};
};

}  // namespace baton::BATON_VARIANT::service::detail
