// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/kernel.hpp>
#include <stdint.h>

/// The common part of the program's files: a hostile task, the tasks that must not notice it, and
/// the supervisor that judges.
namespace hostile {

namespace kernel = baton::kernel;
using kernel::word;

enum : kernel::priority { hostile_priority = 3, ping_priority, pong_priority, timer_priority, supervisor_priority };

constexpr word piece_bytes = BATON_TEST_PIECE;
constexpr word good_stack_bytes = 512, child_stack_bytes = 256;

extern kernel::system<8, 8, 2> the_kernel;
extern kernel::private_stack<piece_bytes> hostile_stack;
extern kernel::private_stack<good_stack_bytes> ping_stack, pong_stack, timer_stack;
extern kernel::private_stack<child_stack_bytes> child_stacks[2];

/// A pattern in the kernel's memory, which nobody writes after the start.
constexpr word fence_words = 64;
extern uint32_t fence[fence_words];

/// The hostile task's counts since the supervisor has last looked. Whoever goes astray in code may
/// write anything here, so the supervisor takes no count on trust that is too large.
struct progress {
  uint32_t calls;
  uint32_t succeeded[kernel::calls];  // only calls that can fail are counted, and `exit`
  uint32_t refused[kernel::calls + 1];
};

constexpr word scratch_named = 128, longest_named = 512;

/// Memory that the hostile task and its children may write.
struct common {
  progress counts;
  // Forbidden accesses after which a task went on.
  uint32_t went_through;
  // Only the beginning is named in calls, and no length of a message that a call names reaches
  // behind the end. What follows may be the tasks', too, where a piece is larger.
  char scratch[scratch_named + longest_named];
};

/// Some tasks share it in the program of private tasks. In the other one it is an ordinary
/// variable, which every task may write.
#ifdef BATON_PRIVATE_MEMORY
constexpr bool are_private = true;
extern kernel::shared_memory<common> shared;
inline kernel::task_description alone(kernel::task_description d) {
  d.touches.is_private = true;
  return d;
}
inline kernel::task_description with_common(const kernel::task_description& d) {
  return kernel::sharing(shared, alone(d));
}
#else
constexpr bool are_private = false;
struct common_variable {
  common value;
};
extern common_variable shared;
inline kernel::task_description alone(const kernel::task_description& d) {
  return d;
}
inline kernel::task_description with_common(const kernel::task_description& d) {
  return d;
}
#endif

/// A variable that private tasks must not touch.
extern uint32_t ordinary;

/// Makes calls for ever. The argument is a seed.
void be_hostile(void*);

/// The words at the lowest end of a stack that are the kernel's, where it guards stacks by them.
constexpr word guard_words = baton::kernel_port::guards_stacks ? 0 : 4;

/// A block near the lowest end of a task's stack, which the task and the supervisor both check.
struct diary {
  static constexpr uint8_t words = 15;
  uint32_t entries;  // odd while the block is written
  uint32_t content[words];

  uint32_t expected(uint32_t n, uint8_t i) const {
    return (n + i) * 0x9e3779b9u ^ static_cast<uint32_t>(reinterpret_cast<uintptr_t>(this));
  }
  bool is_whole() const {
    for (uint8_t i = 0; i < words; ++i) {
      if (content[i] != expected(entries, i)) return false;
    }
    return true;
  }
  /// Checks the block, and writes the next entry.
  bool go_on() volatile {
    diary& self = const_cast<diary&>(*this);
    const bool good = self.entries == 0 || self.is_whole();
    entries = entries + 1;
    for (uint8_t i = 0; i < words; ++i) content[i] = self.expected(entries + 1, i);
    entries = entries + 1;
    return good;
  }
};

inline diary& diary_of(kernel::stack<good_stack_bytes>& s) {
  return *reinterpret_cast<diary*>(s.words + guard_words);
}

/// The tasks that must not notice anything: each ends if it does.
void ping(void*);
void pong(void*);
void keep_time(void*);

}  // namespace hostile
