// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>

#include "../places.hpp"

namespace hostile {

extern "C" char __code_start[], __code_end[];

/// Makes a call of any number with any words. r4 holds the number: ports/cortex_m/kernel.
inline kernel::answer call_raw(word number, word first, word second, word out_length, word in, word in_length,
                               baton::tick timeout) {
  register word r0 __asm__("r0") = first;
  register word r1 __asm__("r1") = second;
  register word r2 __asm__("r2") = out_length;
  register word r3 __asm__("r3") = in;
  register word r4 __asm__("r4") = number;
  register word r12 __asm__("r12") = in_length;
  register word lr __asm__("lr") = timeout;
  __asm__ volatile("svc 0" : "+r"(r0), "+r"(r1), "+r"(r2) : "r"(r3), "r"(r4), "r"(r12), "r"(lr) : "memory");
  return kernel::answer{r0, r1, r2};
}

/// Places that no task without privileges may write, and at which a kernel that writes for one
/// would do harm: the MPU, the interrupt controller, where nothing is, code, null.
constexpr word forbidden_registers[] = {0xe000ed80, 0xe000e000, 0xe000ed00, 0x60000000, 0xfffffff0, 0};

constexpr word a_device = 0x40000000;

inline bool is_constant(word address, word bytes) {
  const word start = reinterpret_cast<word>(__code_start), end = reinterpret_cast<word>(__code_end);
  return address >= start && address + bytes <= end;
}

/// The part of a context by which a switch protects the other tasks.
struct switched {
  word words[4];

  explicit switched(const baton::kernel_port::context& c) : words{c.own.base, c.own.attributes, c.mpu, c.control} {}
};

/// The registers of the MPU that are the same for every task.
struct protection {
#if BATON_HAS_MPU == 8
  static constexpr uint8_t first = 0, regions = 4;
#else
  static constexpr uint8_t first = are_private ? 3 : 0, regions = 5;
#endif
  uint32_t control, bases[regions], attributes[regions];

  bool operator==(const protection& other) const { return __builtin_memcmp(this, &other, sizeof other) == 0; }

  /// Leaves out those that a switch writes in the program of private tasks.
  /// Context  privileged.
  static protection read() {
    volatile uint32_t* const unit = reinterpret_cast<volatile uint32_t*>(0xe000ed90);
    const baton::port::critical masked;
    protection p{unit[1], {}, {}};
    for (uint32_t i = first; i < regions; ++i) {
      unit[2] = i;
      p.bases[i] = unit[3];
      p.attributes[i] = unit[4];
    }
    unit[2] = baton::mpu::of_task;  // which a switch expects to find selected
    return p;
  }
};

}  // namespace hostile
