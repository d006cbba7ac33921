// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/service/event.hpp>
#include <cstddef>
#include <cstdint>

/// An event on its way from one thread to another.
namespace baton::BATON_VARIANT::service::detail {

class event_mailbox;

struct posted_event;

/// The type of an event in a lane.
struct alignas(8) posted_type {
  /// Moves the event into the worker's queue. false: the queue is full, and the event stays.
  bool (*queue)(posted_event&, event_mailbox&);
  void (*destroy)(posted_event&) noexcept;
  const event_id* id;
  uint32_t bytes;  // of an event with its header
};

/// The header of an event in a lane: its type and its priority, in one word. The event follows it
/// in memory.
struct posted_event {
  static constexpr uintptr_t priorities = 7;
  static_assert(static_cast<unsigned>(priority::lowest) == priorities && alignof(posted_type) > priorities);

  /// Null: nothing is published here.
  static const posted_type* type_in(uintptr_t word) noexcept {
    return reinterpret_cast<const posted_type*>(word & ~priorities);
  }
  static uintptr_t word_of(const posted_type& t, priority p) noexcept {
    return reinterpret_cast<uintptr_t>(&t) | static_cast<uintptr_t>(p);
  }

  const posted_type* type(std::memory_order order) const noexcept { return type_in(word.load(order)); }
  priority level() const noexcept { return static_cast<priority>(word.load(std::memory_order_relaxed) & priorities); }
  void* event() noexcept { return this + 1; }
  posted_event* behind(const posted_type& t) noexcept {
    return reinterpret_cast<posted_event*>(reinterpret_cast<std::byte*>(this) + t.bytes);
  }

  std::atomic<uintptr_t> word;
};
static_assert(sizeof(posted_event) == 8);

/// The header behind the last event of a chunk.
inline constexpr posted_type goes_on_in_next{nullptr, nullptr, nullptr, 0};

}  // namespace baton::BATON_VARIANT::service::detail
