// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>

#include "../places.hpp"

namespace hostile {

/// Makes a call of any number with any words, and with any gp, by which the kernel must not go.
/// t1 holds four times the number, or anything else: ports/riscv32/kernel.
inline kernel::answer call_raw(word number, word first, word second, word out_length, word in, word in_length,
                               baton::tick timeout) {
  register word a0 __asm__("a0") = first;
  register word a1 __asm__("a1") = second;
  register word a2 __asm__("a2") = out_length;
  register word a3 __asm__("a3") = in;
  register word a4 __asm__("a4") = in_length;
  register word a5 __asm__("a5") = timeout;
  register word t1 __asm__("t1") = number < kernel::calls ? 4 * number : number;
  __asm__ volatile("mv gp, a1\n\tecall"
                   : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3), "+r"(a4), "+r"(a5), "+r"(t1)
                   :
                   : "ra", "t0", "t2", "t3", "t4", "t5", "t6", "a6", "a7", "s1", "s2", "s3", "s4", "s5", "s6", "s7",
                     "s8", "s9", "s10", "s11", "memory");
  return kernel::answer{a0, a1, a2};
}

/// Places that no task without privileges may write, and at which a kernel that writes for one
/// would do harm: the timer, the interrupt controller, where nothing is, null.
constexpr word forbidden_registers[] = {0x02004000, 0x0200bff8, 0x0c002000, 0x60000000, 0xfffffff0, 0};

constexpr word a_device = 0x10000000;

inline bool is_constant(word address, word bytes) {
  return baton::riscv32_tasks::code_and_constants().holds(address, bytes);
}

/// The part of a context that a switch writes, or the kernel compares with, to protect other tasks.
struct switched {
  word words[sizeof(baton::riscv32_tasks::rights) / sizeof(word)];

  explicit switched(const baton::kernel_port::context& c) { __builtin_memcpy(words, &c.rights, sizeof words); }
};

/// The registers of the PMP that are the same for every task.
struct protection {
  word code, behind[3];

  bool operator==(const protection& other) const { return __builtin_memcmp(this, &other, sizeof other) == 0; }

  /// Context  privileged.
  static protection read() {
    protection p;
    __asm__ volatile(
        "csrr %0, pmpaddr0\n\t"
        "csrr %1, pmpcfg1\n\t"
        "csrr %2, pmpcfg2\n\t"
        "csrr %3, pmpcfg3"
        : "=r"(p.code), "=r"(p.behind[0]), "=r"(p.behind[1]), "=r"(p.behind[2]));
    return p;
  }
};

}  // namespace hostile
