// SPDX-License-Identifier: MIT
#pragma once

#include "tasks.hpp"

namespace suite_async {
namespace minimal {

/// Frames by size, in steps of four pointers.
struct pool {
  struct place {
    place* next;
  };
  static constexpr size_t step = 4 * sizeof(void*), classes = is_small ? 32 : 48;

  static void* take(size_t bytes) {
    const size_t which = (bytes - 1) / step;
    place* free = lists[which];
    if (BATON_UNLIKELY(!free)) return more(which);
    lists[which] = free->next;
    return free;
  }
  static void give(void* memory, size_t bytes) {
    place* free = static_cast<place*>(memory);
    place*& list = lists[(bytes - 1) / step];
    free->next = list;
    list = free;
  }

 private:
  /// Cuts a frame from memory for as many frames as live at once: those that are spawned together.
  static BATON_NOINLINE void* more(size_t which) {
    const size_t bytes = (which + 1) * step;
    if (which >= classes || static_cast<size_t>(memory + sizeof memory - begin) < bytes) __builtin_trap();
    void* frame = begin;
    begin += bytes;
    return frame;
  }

  static place* lists[classes];
  alignas(4 * sizeof(void*)) static char memory[16 * sizeof(void*) * (spawned_together + 8)];
  static char* begin;
};
pool::place* pool::lists[pool::classes];
alignas(4 * sizeof(void*)) char pool::memory[];
char* pool::begin = pool::memory;

}  // namespace minimal
}  // namespace suite_async
