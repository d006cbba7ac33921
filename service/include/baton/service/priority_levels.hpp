// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/service/chunk_allocator.hpp>
#include <baton/service/event.hpp>
#include <bit>
#include <cstddef>
#include <new>

/// Where the events of a worker wait.
namespace baton::BATON_VARIANT::service::detail {

/// Before each event. What follows it is the event itself, as long as `size` says.
struct event_header {
  event_id type;
  uint16_t size;  // whole, a multiple of 8
  uint32_t origin;
  uint64_t number;

  void* event() noexcept { return this + 1; }
};
static_assert(sizeof(event_header) == 16);

/// Eight queues in chunks of 64 KiB, one a priority.
///
/// Shape    an event is written behind the last and never moves. A chunk that was read is kept for the next that is needed, so
///          what waits takes its own size and a chunk a priority. Whoever ends it has destroyed its events.
/// Context  one thread.
/// Cost     a few instructions an event; a chunk's memory for 64 KiB of what waits at once for the first time.
class priority_levels {
 public:
  static constexpr unsigned levels = 8;

  priority_levels() = default;
  priority_levels(const priority_levels&) = delete;
  priority_levels& operator=(const priority_levels&) = delete;

  bool is_empty() const noexcept { return waiting_ == 0; }

  /// Room for an event of so many bytes at the end of a level; the caller fills it. Throws std::bad_alloc, and nothing has happened.
  BATON_INLINE event_header* put(unsigned which, uint32_t size) {
    level& b = levels_[which];
    if (BATON_UNLIKELY(b.room_from + size > b.room_to)) add_chunk(b);
    char* const at = b.room_from;
    b.room_from += size;
    waiting_ |= 1u << which;
    return reinterpret_cast<event_header*>(at);
  }

  /// The oldest event of the highest priority. It stays readable until `done_with`.
  BATON_INLINE event_header* take(unsigned& which) noexcept {
    which = static_cast<unsigned>(std::countr_zero(waiting_));
    return take_of(which);
  }
  /// The oldest event of the lowest priority, also while one that was taken is still read. There is one.
  event_header* take_lowest(unsigned& which) noexcept {
    uint32_t candidates = waiting_;
    for (;;) {
      which = static_cast<unsigned>(std::bit_width(candidates)) - 1;
      if (levels_[which].next != levels_[which].end()) return take_of(which);
      candidates &= ~(1u << which);
    }
  }

  /// The event that was taken last of the level is read no more.
  BATON_INLINE void done_with(unsigned which) noexcept {
    level& b = levels_[which];
    if (BATON_LIKELY(b.next != b.end())) return;
    finish_chunk(b, which);
  }

  /// The same while one that was taken before is still read: its chunk is kept until `release`.
  void done_with_lowest(unsigned which) noexcept {
    level& b = levels_[which];
    if (b.next != b.end() || b.first == b.last) return;
    chunk* const read = b.first;
    b.first = read->next;
    b.next = b.first->bytes;
    read->next = held_;
    held_ = read;
  }
  void release() noexcept {
    while (BATON_UNLIKELY(held_ != nullptr)) {
      chunk* const c = held_;
      held_ = c->next;
      c->next = free_;
      free_ = c;
    }
  }

 private:
  struct chunk {
    chunk* next;
    char* end;  // of what is written, once it is not the last
    char bytes[chunk_allocator::bytes - 2 * sizeof(void*)];
  };
  struct level {
    char* next = nullptr;  // to be taken
    char* room_from = nullptr;
    char* room_to = nullptr;
    chunk* first = nullptr;
    chunk* last = nullptr;

    BATON_INLINE char* end() const noexcept { return BATON_LIKELY(first == last) ? room_from : first->end; }
  };

  BATON_INLINE event_header* take_of(unsigned which) noexcept {
    level& b = levels_[which];
    event_header* const r = reinterpret_cast<event_header*>(b.next);
    b.next += r->size;
    return r;
  }

  BATON_NOINLINE void add_chunk(level& b) {
    chunk* c = free_;
    if (c) {
      free_ = c->next;
    } else {
      c = ::new (memory_.take()) chunk;
    }
    c->next = nullptr;
    if (b.last) {
      b.last->end = b.room_from;
      b.last->next = c;
    } else {
      b.first = c;
      b.next = c->bytes;
    }
    b.last = c;
    b.room_from = c->bytes;
    b.room_to = c->bytes + sizeof c->bytes;
  }

  /// All that was written to the first chunk has been read.
  void finish_chunk(level& b, unsigned which) noexcept {
    if (b.first == b.last) {
      b.next = b.room_from = b.first->bytes;
      waiting_ &= ~(1u << which);
      return;
    }
    chunk* const read = b.first;
    b.first = read->next;
    b.next = b.first->bytes;
    read->next = free_;
    free_ = read;
    if (b.next == b.end()) finish_chunk(b, which);
  }

  chunk_allocator memory_{8};  // more is a long queue
  uint32_t waiting_ = 0;       // a bit for each level that is not empty
  level levels_[levels];
  chunk* free_ = nullptr;
  chunk* held_ = nullptr;  // read, but for the one event that is being handled
};

}  // namespace baton::BATON_VARIANT::service::detail
