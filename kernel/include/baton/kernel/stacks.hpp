// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/kernel_state.hpp>

/// The stacks of tasks: which memory can be one, and how much of it was used.
namespace baton {
namespace kernel {
namespace detail {

/// The content of a stack where nothing was written yet. Its lowest word is the guard. (An
/// immediate operand on every processor.)
constexpr uint32_t untouched = 0xa5000000;

/// True if two pieces of memory share a byte.
inline bool overlap(const void* a, word a_bytes, const void* b, word b_bytes) {
  const word from = reinterpret_cast<word>(a);
  const word other = reinterpret_cast<word>(b);
  return from < other + b_bytes && other < from + a_bytes;
}

inline bool is_bad_stack(const kernel_state& m, const task_description& d) {
  const word from = reinterpret_cast<word>(d.stack);
  if (!d.stack || d.stack_bytes > largest_stack || from + d.stack_bytes < from) return true;
  if (d.stack_bytes < kernel_port::least_stack || from % kernel_port::alignment_of_stack(d.stack_bytes) != 0)
    return true;
  if (!kernel_port::is_stack_size(d.stack_bytes) || overlap(&m, sizeof m, d.stack, d.stack_bytes) ||
      overlap(m.table, m.slots * sizeof(tcb), d.stack, d.stack_bytes)) {
    return true;
  }
  walk<8> w;
  for (const tcb* t = m.table; t != m.table + m.slots; ++t) {
    w.step();
    if (!t->is_free() && overlap(t->stack, t->made.stack_bytes, d.stack, d.stack_bytes)) return true;
  }
  return false;
}

/// The end of the part of a stack that is looked at, or filled, before interrupts are let in.
template <typename Word>
BATON_INLINE Word* part_of(Word* from, Word* end) {
  constexpr word words = 32;
  return kernel_port::masks_interrupts && static_cast<word>(end - from) > words ? from + words : end;
}

/// Fills a stack with `untouched`. AddressSanitizer would refuse the writes: it takes the remains
/// of a task's frames for memory that must not be touched, until the port says otherwise.
__attribute__((no_sanitize_address)) inline void paint(const task_description& d) {
  uint32_t* at = static_cast<uint32_t*>(d.stack);
  uint32_t* const end = at + d.stack_bytes / sizeof(uint32_t);
  while (at != end) {
    kernel_port::window();
    for (uint32_t* const next = part_of(at, end); at != next; ++at) *at = untouched;
  }
}

/// Counts the bytes of a stack that were never written. AddressSanitizer would refuse the reads: it
/// takes the gaps of a task's frames for memory that must not be touched.
__attribute__((no_sanitize_address)) inline word untouched_bytes(const tcb& t) {
  const uint32_t* at = t.stack;
  const uint32_t* const end = at + t.made.stack_bytes / sizeof(uint32_t);
  while (at != end) {
    kernel_port::window();
    const uint32_t* const next = part_of(at, end);
    while (at != next && *at == untouched) ++at;
    if (at != next) break;
  }
  return static_cast<word>(at - t.stack) * sizeof(uint32_t);
}

}  // namespace detail
}  // namespace kernel
}  // namespace baton
