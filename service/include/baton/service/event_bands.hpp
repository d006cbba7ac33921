// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/service/chunks.hpp>
#include <baton/service/event.hpp>
#include <bit>
#include <cstddef>
#include <new>

/// Where the events of a home wait.
namespace baton::service::detail {

/// Before each event. What follows it is the event itself, as long as `size` says.
struct record {
  event_id type;
  uint16_t size;  // whole, a multiple of 8
  uint32_t origin;
  uint64_t number;

  void* event() noexcept { return this + 1; }
};
static_assert(sizeof(record) == 16);

/// Eight queues in chunks of 64 KiB, one a priority.
///
/// Shape    a record is written behind the last and never moves. A chunk that was read is kept for the next that is needed, so
///          what waits takes its own size and a chunk a priority. Whoever ends it has destroyed its events.
/// Context  one thread.
/// Cost     a few instructions a record; a chunk's memory for 64 KiB of what waits at once for the first time.
class event_bands {
 public:
  static constexpr unsigned bands = 8;

  event_bands() = default;
  event_bands(const event_bands&) = delete;
  event_bands& operator=(const event_bands&) = delete;

  bool is_empty() const noexcept { return waiting_ == 0; }

  /// Room for a record of so many bytes at the end of a band; the caller fills it. Throws std::bad_alloc, and nothing has happened.
  BATON_INLINE record* put(unsigned which, uint32_t size) {
    band& b = bands_[which];
    if (BATON_UNLIKELY(b.room_from + size > b.room_to)) add_chunk(b);
    char* const at = b.room_from;
    b.room_from += size;
    waiting_ |= 1u << which;
    return reinterpret_cast<record*>(at);
  }

  /// The oldest record of the highest priority. It stays readable until `done_with`.
  BATON_INLINE record* take(unsigned& which) noexcept {
    which = static_cast<unsigned>(std::countr_zero(waiting_));
    return take_of(which);
  }
  /// The oldest record of the lowest priority, also while one that was taken is still read. There is one.
  record* take_lowest(unsigned& which) noexcept {
    uint32_t candidates = waiting_;
    for (;;) {
      which = static_cast<unsigned>(std::bit_width(candidates)) - 1;
      if (bands_[which].next != bands_[which].end()) return take_of(which);
      candidates &= ~(1u << which);
    }
  }

  /// The record that was taken last of the band is read no more.
  BATON_INLINE void done_with(unsigned which) noexcept {
    band& b = bands_[which];
    if (BATON_LIKELY(b.next != b.end())) return;
    finish_chunk(b, which);
  }

  /// The same while one that was taken before is still read: its chunk is kept until `release`.
  void done_with_lowest(unsigned which) noexcept {
    band& b = bands_[which];
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
    char bytes[chunks::bytes - 2 * sizeof(void*)];
  };
  struct band {
    char* next = nullptr;  // to be taken
    char* room_from = nullptr;
    char* room_to = nullptr;
    chunk* first = nullptr;
    chunk* last = nullptr;

    BATON_INLINE char* end() const noexcept { return BATON_LIKELY(first == last) ? room_from : first->end; }
  };

  BATON_INLINE record* take_of(unsigned which) noexcept {
    band& b = bands_[which];
    record* const r = reinterpret_cast<record*>(b.next);
    b.next += r->size;
    return r;
  }

  BATON_NOINLINE void add_chunk(band& b) {
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
  void finish_chunk(band& b, unsigned which) noexcept {
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

  chunks memory_{8};      // more is a long queue
  uint32_t waiting_ = 0;  // a bit for each band that is not empty
  band bands_[bands];
  chunk* free_ = nullptr;
  chunk* held_ = nullptr;  // read, but for the one record that is being handled
};

}  // namespace baton::service::detail
