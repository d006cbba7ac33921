// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <stdint.h>

#include <bit>
#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

#include "floors_pages.hpp"

// The minimal loop of the floors: typed events in chunks, one queue per priority. There is no
// unsubscribing, intercepting, waiting for an event, or bound; exceptions of handlers are not
// caught, no event has a destructor, and there is no timer.

namespace suite_service {
namespace minimal {

/// The header of each event.
struct record {
  uint16_t type;
  uint16_t bytes;
  uint32_t origin;
  uint64_t number;
};
static_assert(sizeof(record) == 16);

inline uint16_t next_type() {
  static uint16_t n = 0;
  return n++;
}
/// A type's number, from 0, given before `main`.
template <typename Event>
inline const uint16_t type_of = next_type();

/// Calls a member function of an event's handler.
template <typename Event, auto Member, typename Self>
void call_member(void* self, void* event) {
  (static_cast<Self*>(self)->*Member)(*static_cast<Event*>(event));
}
/// Calls an event that is a function.
template <typename Event>
void call_event(void* event) {
  (*static_cast<Event*>(event))();
}

class loop {
 public:
  static constexpr unsigned highest = 0, high = 1, normal = 4, lowest = 7;

  loop() = default;
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;
  template <typename Event>
  BATON_INLINE void push(const Event& event, unsigned priority = normal) {
    static_assert(std::is_trivially_destructible_v<Event>);
    constexpr uint32_t payload = std::is_empty_v<Event> ? 0 : (sizeof(Event) + 7) / 8 * 8;
    constexpr uint32_t bytes = sizeof(record) + payload;
    char* const at = room(levels_[priority], bytes);
    waiting_ |= 1u << priority;
    record* const r = ::new (at) record{type_of<Event>, bytes, 0, ++pushed_};
    if constexpr (payload != 0) ::new (r + 1) Event(event);
  }

  /// Makes `Member` of `self` a handler of events of this type.
  template <typename Event, auto Member, typename Self>
  void on(Self& self) {
    row_of(type_of<Event>).handlers.push_back({&call_member<Event, Member, Self>, &self});
  }
  /// Makes events of this type functions that are called.
  template <typename Event>
  void runs() {
    row_of(type_of<Event>).run = &call_event<Event>;
  }

  /// Runs until no event waits, or `is_over`.
  void run() {
    while (waiting_ != 0 && !is_over) step();
  }

  uint64_t pushed() const { return pushed_; }
  uint64_t handled() const { return handled_; }

  bool is_over = false;

 private:
  static constexpr size_t types = 64;
  struct chunk {
    chunk* next;
    uint32_t read;
    uint32_t written;
    char bytes[chunk_memory::chunk_bytes - 16];
  };
  struct level {
    chunk* first = nullptr;
    chunk* last = nullptr;
  };
  struct handler {
    void (*call)(void* self, void* event);
    void* self;
  };
  struct row {
    void (*run)(void* event) = nullptr;
    std::vector<handler> handlers;
  };

  BATON_INLINE char* room(level& b, uint32_t bytes) {
    chunk* c = b.last;
    if (BATON_UNLIKELY(!c || c->written + bytes > sizeof c->bytes)) c = add_chunk(b);
    char* const at = c->bytes + c->written;
    c->written += bytes;
    return at;
  }
  BATON_NOINLINE chunk* add_chunk(level& b) {
    chunk* c = free_;
    if (c) {
      free_ = c->next;
    } else {
      c = static_cast<chunk*>(memory_.take());
    }
    c->next = nullptr;
    c->read = c->written = 0;
    (b.last ? b.last->next : b.first) = c;
    b.last = c;
    return c;
  }

  BATON_INLINE void step() {
    const unsigned which = static_cast<unsigned>(std::countr_zero(waiting_));
    level& b = levels_[which];
    chunk* const c = b.first;
    record* const r = reinterpret_cast<record*>(c->bytes + c->read);
    const uint32_t bytes = r->bytes;
    handle(*r);
    ++handled_;
    c->read += bytes;  // a push meanwhile writes behind it
    if (BATON_LIKELY(c->read != c->written)) return;
    if (!c->next) {
      c->read = c->written = 0;
      waiting_ &= ~(1u << which);
      return;
    }
    b.first = c->next;
    c->next = free_;
    free_ = c;
  }
  BATON_INLINE void handle(record& r) {
    row& w = rows_[r.type];
    if (w.run) return w.run(&r + 1);
    for (const handler& h : w.handlers) h.call(h.self, &r + 1);
  }

  row& row_of(uint16_t type) {
    if (type >= types) __builtin_trap();
    return rows_[type];
  }

  uint32_t waiting_ = 0;  // one bit for each level that is not empty
  uint64_t pushed_ = 0, handled_ = 0;
  level levels_[8];
  chunk* free_ = nullptr;
  chunk_memory memory_;
  row rows_[types];  // an array, so that a number needs no check
};

}  // namespace minimal
}  // namespace suite_service
