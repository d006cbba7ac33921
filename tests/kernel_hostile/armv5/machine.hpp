// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>

#include "../places.hpp"

namespace hostile {

/// Makes a call of any number with any words. r12 holds the number: ports/armv5/kernel.
inline kernel::answer call_raw(word number, word first, word second, word out_length, word in, word in_length,
                               baton::tick timeout) {
  register word r0 __asm__("r0") = first;
  register word r1 __asm__("r1") = second;
  register word r2 __asm__("r2") = out_length;
  register word r3 __asm__("r3") = in;
  register word r4 __asm__("r4") = in_length;
  register word r5 __asm__("r5") = timeout;
  register word r12 __asm__("r12") = number;
  __asm__ volatile("swi 0" : "+r"(r0), "+r"(r1), "+r"(r2) : "r"(r3), "r"(r4), "r"(r5), "r"(r12) : "memory");
  return kernel::answer{r0, r1, r2};
}

/// Places that no private task may write, and at which a kernel that writes for one would do harm:
/// the interrupt controller, the clock, where the devices of private tasks appear, where nothing
/// is, null.
constexpr word forbidden_registers[] = {0x10140000, 0x101e2000, 0xf0800000, 0x60000000, 0xfffffff0, 0};

constexpr word a_device = 0x101f1018;  // flags of the console's UART

inline bool is_constant(word address, word bytes) {
  return baton::armv5_tasks::constants().holds(address, bytes);
}

/// The part of a context by which a switch protects the other tasks.
struct switched {
  word words[3];

  explicit switched(const baton::kernel_port::context& c) : words{c.domains, c.own, c.psr & 0x1f} {}
};

/// The MMU's registers, and a sum of its table.
struct protection {
  word control, table, domains, sum;

  bool operator==(const protection& other) const { return __builtin_memcmp(this, &other, sizeof other) == 0; }

  /// Leaves out what changes when tasks begin: the domains and permissions of their pieces, and the
  /// places of their devices.
  /// Context  privileged.
  static protection read() {
    protection p{};
    __asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(p.control));
    __asm__ volatile("mrc p15, 0, %0, c2, c0, 0" : "=r"(p.table));
    __asm__ volatile("mrc p15, 0, %0, c3, c0, 0" : "=r"(p.domains));
    const word* const entries = reinterpret_cast<const word*>(p.table);
    const word first = reinterpret_cast<word>(__tasks_start) >> 20;
    const word end = reinterpret_cast<word>(baton_armv5_end_of_kernel_pieces) >> 20;
    for (word i = 0; i < 0xf00; ++i) {
      const word entry = i >= first && i < end ? entries[i] >> 20 : entries[i];
      p.sum = (p.sum ^ entry) * 16777619u;
    }
    return p;
  }
};

}  // namespace hostile
