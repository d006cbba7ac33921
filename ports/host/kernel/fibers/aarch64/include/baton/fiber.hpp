// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>
#include <ucontext.h>

namespace baton {

/// A stack that does not run, and the address at which it goes on.
///
/// Shape    the two registers by which a compiler may address a frame are kept here; the other live
///          registers lie on the stack.
struct fiber {
  void* stack;
  void* resume;
  void* frame;  // x29
  void* base;   // x19, by which clang addresses a frame that it has realigned and that grows
};

// A compiler can keep these alive across an asm statement, too, where it may use them. The vector
// registers of SVE contain v0 to v31.
#if defined(__ARM_FEATURE_SVE)
#define BATON_FIBER_CLOBBERS_SVE                                                                                       \
  , "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15", "ffr", "z0", \
      "z1", "z2", "z3", "z4", "z5", "z6", "z7", "z8", "z9", "z10", "z11", "z12", "z13", "z14", "z15", "z16", "z17",    \
      "z18", "z19", "z20", "z21", "z22", "z23", "z24", "z25", "z26", "z27", "z28", "z29", "z30", "z31"
#else
#define BATON_FIBER_CLOBBERS_SVE
#endif
// A processor that tracks indirect branches lets one land at `bti j`.
#if defined(__ARM_FEATURE_BTI_DEFAULT)
#define BATON_FIBER_LANDING "hint #36\n\t"
#else
#define BATON_FIBER_LANDING
#endif

/// Makes a stack that begins with `begin`, which must not return. Unwinding ends there, because the
/// frame above it is null, and `BATON_FIBER_OUTERMOST` says so.
inline void prepare_fiber(fiber& f, void* stack, uintptr_t bytes, void (*begin)()) {
  f.stack = reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(stack) + bytes) & ~uintptr_t{15});
  f.resume = reinterpret_cast<void*>(begin);
  f.frame = f.base = nullptr;
}

/// Goes on with `to`; returns when a fiber switches to `from`.
///
/// Context  the rounding mode and the exception masks (FPCR) belong to the thread, not to the
///          fiber. Guarded control stacks (GCS) must be off, as they are on Linux by default.
/// Cost     the compiler saves the registers that are live here, and no others. The jump is
///          inlined, so that each place predicts its own target.
/// Source   Procedure Call Standard for the Arm 64-bit Architecture (IHI 0055), 6.1 "Machine
///          Registers". A first function begins with `bti c`, where a jump through x16 or x17 may
///          land.
__attribute__((always_inline)) inline void switch_fiber(fiber& from, const fiber& to) {
  // The addresses are computed before any register is taken: the address of a thread-local variable
  // can be a call, which returns in x0.
  fiber* own = &from;
  const fiber* other = &to;
  __asm__ volatile("" : "+r"(own), "+r"(other));
  register fiber* save __asm__("x0") = own;
  register const fiber* load __asm__("x1") = other;
  __asm__ volatile(
      "adr x17, 1f\n\t"
      "mov x16, sp\n\t"
      "stp x16, x17, [%0]\n\t"
      "stp x29, x19, [%0, #16]\n\t"
      "ldp x16, x17, [%1]\n\t"
      "ldp x29, x19, [%1, #16]\n\t"
      "mov x30, xzr\n\t"
      "mov sp, x16\n\t"
      "br x17\n"
      "1:\n\t" BATON_FIBER_LANDING
      : "+r"(save), "+r"(load)
      :
      : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18",
        "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6",
        "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22",
        "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31" BATON_FIBER_CLOBBERS_SVE, "cc", "memory");
}

#undef BATON_FIBER_CLOBBERS_SVE
#undef BATON_FIBER_LANDING

/// Stands at the head of a fiber's first function, and tells an unwinder that the function has no
/// caller.
#if defined(__GCC_HAVE_DWARF2_CFI_ASM)
#define BATON_FIBER_OUTERMOST() __asm__ volatile(".cfi_undefined x30")
#else
#define BATON_FIBER_OUTERMOST() static_cast<void>(0)
#endif

/// Returns the stack pointer of the code that a signal has interrupted.
inline uintptr_t interrupted_stack(const void* context) {
  return static_cast<uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.sp);
}

}  // namespace baton
