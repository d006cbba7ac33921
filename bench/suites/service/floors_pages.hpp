// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

// Memory for the events of the minimal loop, from the same pages as Baton's queue has: a floor in
// pages of 4 KiB would take longer for the system's part alone.

namespace suite_service {
namespace minimal {

/// Chunks of 64 KiB: the first eight of the heap, the others of large pages. All are freed at the
/// end. One thread.
class chunk_memory {
 public:
  static constexpr size_t chunk_bytes = size_t{1} << 16;

  chunk_memory() = default;
  chunk_memory(const chunk_memory&) = delete;
  chunk_memory& operator=(const chunk_memory&) = delete;
  ~chunk_memory() {
    for (void* c : of_heap_) ::operator delete(c);
    for (char* p : mapped_) munmap(p, mapped_bytes);
  }

  void* take() {
    if (of_heap_.size() != most_of_heap) {
      of_heap_.reserve(most_of_heap);
      return of_heap_.emplace_back(::operator new(chunk_bytes));
    }
    if (rest_ == end_) map();
    void* const chunk = rest_;
    rest_ += chunk_bytes;
    return chunk;
  }

 private:
  static constexpr size_t most_of_heap = 8;
  static constexpr size_t page_bytes = size_t{1} << 21;
  static constexpr size_t mapped_bytes = 2 * page_bytes;  // there is an aligned page in it, the rest is not touched

  void map() {
    mapped_.reserve(mapped_.size() + 1);
    void* const got = mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) throw std::bad_alloc();
    char* const from = static_cast<char*>(got);
    mapped_.push_back(from);
    rest_ = from + -reinterpret_cast<uintptr_t>(from) % page_bytes;
    end_ = rest_ + page_bytes;
    static_cast<void>(madvise(rest_, page_bytes, MADV_HUGEPAGE));
  }

  std::vector<void*> of_heap_;
  std::vector<char*> mapped_;
  char* rest_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace minimal
}  // namespace suite_service
