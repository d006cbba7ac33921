// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/asan.hpp>
#include <baton/core/attributes.hpp>
#include <baton/core/variant.hpp>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

/// Where the events and the services of a worker get their memory from.
namespace baton::BATON_VARIANT::service::detail {

/// Memory from the system, which is asked to back it with one large page.
///
/// Shape    2 MiB, aligned to 2 MiB.
/// Cost     one page fault, where the system has such a page; elsewhere one for each 4 KiB.
/// Errors   std::bad_alloc
class large_page {
 public:
  static constexpr size_t bytes = size_t{1} << 21;

  large_page() : begin_(aligned()) { static_cast<void>(madvise(begin_, bytes, MADV_HUGEPAGE)); }
  large_page(large_page&& other) noexcept : begin_(std::exchange(other.begin_, nullptr)) {}
  large_page& operator=(large_page&&) = delete;
  ~large_page() {
    if (!begin_) return;
    async::detail::unpoison(begin_, bytes);  // whatever lies there next
    munmap(begin_, bytes);
  }

  char* begin() const noexcept { return begin_; }

 private:
  /// Twice as much as is needed, less what lies around the aligned part.
  static char* aligned() {
    void* const got = mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) throw std::bad_alloc();
    char* const from = static_cast<char*>(got);
    const size_t before = -reinterpret_cast<uintptr_t>(from) % bytes;
    if (before != 0) munmap(from, before);
    munmap(from + before + bytes, bytes - before);
    return from + before;
  }

  char* begin_;
};

/// Chunks of 64 KiB.
///
/// Shape    the first of them are of the heap, the others lie in large pages: what has so much to do is served by fewer page faults and
///          calls of the system, and does not disturb other threads with them. All are given back at the end.
/// Context  one thread.
class chunk_allocator {
 public:
  static constexpr size_t bytes = size_t{1} << 16;

  explicit chunk_allocator(size_t of_heap) noexcept : most_of_heap_(of_heap) {}

  /// Throws std::bad_alloc, and nothing has happened.
  BATON_NOINLINE char* take() {
    if (few_.size() != most_of_heap_) {
      few_.reserve(most_of_heap_);
      return few_.emplace_back(new char[bytes]).get();
    }
    if (rest_ == end_) {
      rest_ = many_.emplace_back().begin();
      end_ = rest_ + large_page::bytes;
    }
    return std::exchange(rest_, rest_ + bytes);
  }

 private:
  std::vector<std::unique_ptr<char[]>> few_;
  std::vector<large_page> many_;
  char* rest_ = nullptr;
  char* end_ = nullptr;
  size_t most_of_heap_;
};

}  // namespace baton::BATON_VARIANT::service::detail
