// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/spi/asan.hpp>
#include <baton/core/attributes.hpp>
#include <baton/core/variant.hpp>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

/// Memory for the events and the services of a worker.
namespace baton::BATON_VARIANT::service::detail {

/// Memory from the system, which is asked to back it with one large page.
///
/// Shape    2 MiB, aligned to 2 MiB.
/// Cost     one page fault if the system has such a page, otherwise one for each 4 KiB.
/// Errors   std::bad_alloc
class large_page {
 public:
  static constexpr size_t bytes = size_t{1} << 21;

  large_page() : begin_(aligned()) { static_cast<void>(madvise(begin_, bytes, MADV_HUGEPAGE)); }
  large_page(large_page&& other) noexcept : begin_(std::exchange(other.begin_, nullptr)) {}
  large_page& operator=(large_page&&) = delete;
  ~large_page() {
    if (!begin_) return;
    async::spi::unpoison(begin_, bytes);  // other code may map the same addresses next
    munmap(begin_, bytes);
  }

  char* begin() const noexcept { return begin_; }

 private:
  /// Maps twice as much as is needed, and unmaps the rest before and behind the aligned part.
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
/// Shape    the first chunks are of the heap, the others lie in large pages. So a program with many
///          chunks causes fewer page faults and system calls, and does not disturb its other
///          threads by them. All chunks are freed at the end.
/// Context  one thread.
class chunk_allocator {
 public:
  static constexpr size_t bytes = size_t{1} << 16;

  explicit chunk_allocator(size_t of_heap) noexcept : most_of_heap_(of_heap) {}

  /// Errors   std::bad_alloc: nothing has changed.
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
