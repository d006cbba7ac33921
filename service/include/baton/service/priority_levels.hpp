// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/service/chunk_allocator.hpp>
#include <baton/service/event.hpp>
#include <bit>
#include <cstddef>
#include <new>

/// Memory for the events that wait in a worker.
namespace baton::BATON_VARIANT::service::detail {

/// The header of a queued event. The event itself follows it in memory.
struct event_header {
  event_id type;
  uint16_t size;  // of header and event, a multiple of 8
  uint32_t origin;
  uint64_t number;

  void* event() noexcept { return this + 1; }
};
static_assert(sizeof(event_header) == 16);

/// Eight queues in chunks of 64 KiB, one per priority.
///
/// Shape    an event is written behind the last one and never moves. A chunk that was read is used
///          again, so the waiting events take their own size and one chunk per priority. All events
///          are destroyed before the levels are.
/// Context  one thread.
/// Cost     a few instructions per event; new memory only when more events wait than ever before.
class priority_levels {
 public:
  static constexpr unsigned levels = 8;

  priority_levels() = default;
  priority_levels(const priority_levels&) = delete;
  priority_levels& operator=(const priority_levels&) = delete;

  bool is_empty() const noexcept { return waiting_ == 0; }

  /// Appends an event of `size` bytes, header included, to a level; the caller fills it in.
  /// Errors   std::bad_alloc: nothing has happened.
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
  /// The oldest event of the lowest priority, even while an event that was taken is still being
  /// read. At least one waits.
  event_header* take_lowest(unsigned& which) noexcept {
    uint32_t candidates = waiting_;
    for (;;) {
      which = static_cast<unsigned>(std::bit_width(candidates)) - 1;
      if (levels_[which].next != levels_[which].end()) return take_of(which);
      candidates &= ~(1u << which);
    }
  }

  /// Ends the reading of the event of this level that was taken last.
  BATON_INLINE void done_with(unsigned which) noexcept {
    level& b = levels_[which];
    if (BATON_LIKELY(b.next != b.end())) return;
    finish_chunk(b, which);
  }

  /// As `done_with`, while an earlier event is still being read: its chunk is kept until `release`.
  void done_with_lowest(unsigned which) noexcept {
    level& b = levels_[which];
    if (b.next != b.end()) return;
    if (b.first == b.last) {
      waiting_ &= ~(1u << which);  // the chunk is not begun anew: it may be the one that is being read
      return;
    }
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
    char* end;  // end of the events in it, once it is not the last chunk
    char bytes[chunk_allocator::bytes - 2 * sizeof(void*)];
  };
  struct level {
    char* next = nullptr;  // the oldest waiting event
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

  /// Moves on from the first chunk, all of whose events were taken.
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

  chunk_allocator memory_{8};  // a queue with more chunks is long: its chunks lie in large pages
  uint32_t waiting_ = 0;       // one bit for each level that is not empty
  level levels_[levels];
  chunk* free_ = nullptr;
  chunk* held_ = nullptr;  // chunks that were taken, but for the event that is being handled
};

}  // namespace baton::BATON_VARIANT::service::detail
