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
  void* frame;  // rbp
  void* base;   // rbx, by which clang addresses a frame that it has realigned and that grows
  void* resume;
};

// A compiler can keep these alive across an asm statement, too, where it may use them.
#if defined(__AVX512F__)
#define BATON_FIBER_CLOBBERS_512                                                                                      \
  , "k1", "k2", "k3", "k4", "k5", "k6", "k7", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", \
      "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31"
#else
#define BATON_FIBER_CLOBBERS_512
#endif
#if defined(__APX_F__)
#define BATON_FIBER_CLOBBERS_APX \
  , "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31"
#else
#define BATON_FIBER_CLOBBERS_APX
#endif
// A processor that tracks indirect branches lets one land at this instruction.
#if defined(__CET__) && (__CET__ & 1)
#define BATON_FIBER_LANDING "endbr64\n\t"
#else
#define BATON_FIBER_LANDING
#endif

/// Makes a stack that begins with `begin`, which must not return. Unwinding ends there, because its
/// return address and its caller's frame are null.
inline void prepare_fiber(fiber& f, void* stack, uintptr_t bytes, void (*begin)()) {
  const uintptr_t end = (reinterpret_cast<uintptr_t>(stack) + bytes) & ~uintptr_t{15};
  void** top = reinterpret_cast<void**>(end) - 1;  // as a call leaves it: 8 below a multiple of 16
  *top = nullptr;
  f.stack = top;
  f.frame = f.base = nullptr;
  f.resume = reinterpret_cast<void*>(begin);
}

/// Goes on with `to`; returns when a fiber switches to `from`.
///
/// Context  the stack pointer moves only to the other stack, so the red zone below it stays as it
///          is, and a debugger finds the frame before and after. The rounding mode and the masks of
///          floating-point exceptions (MXCSR, the x87 control word) belong to the thread, not to
///          the fiber. Shadow stacks (SHSTK) must be off, as they are on Linux by default.
/// Cost     the compiler saves the registers that are live here, and no others. The jump is
///          inlined, so that each place predicts its own target.
/// Source   System V ABI, AMD64 supplement, 3.2 "Function Calling Sequence".
__attribute__((always_inline)) inline void switch_fiber(fiber& from, const fiber& to) {
  fiber* save = &from;
  const fiber* load = &to;
  __asm__ volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, (%0)\n\t"
      "movq %%rbp, 8(%0)\n\t"
      "movq %%rbx, 16(%0)\n\t"
      "movq %%rax, 24(%0)\n\t"
      "movq 8(%1), %%rbp\n\t"
      "movq 16(%1), %%rbx\n\t"
      "movq (%1), %%rsp\n\t"
      "jmp *24(%1)\n"
      "1:\n\t" BATON_FIBER_LANDING
      : "+D"(save), "+S"(load)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3",
        "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st",
        "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6",
        "mm7" BATON_FIBER_CLOBBERS_512 BATON_FIBER_CLOBBERS_APX, "cc", "memory");
}

#undef BATON_FIBER_CLOBBERS_512
#undef BATON_FIBER_CLOBBERS_APX
#undef BATON_FIBER_LANDING

/// Stands at the head of a fiber's first function, and tells an unwinder that the function has no
/// caller.
#if defined(__GCC_HAVE_DWARF2_CFI_ASM)
#define BATON_FIBER_OUTERMOST() __asm__ volatile(".cfi_undefined rip")
#else
#define BATON_FIBER_OUTERMOST() static_cast<void>(0)
#endif

/// Returns the stack pointer of the code that a signal has interrupted.
inline uintptr_t interrupted_stack(const void* context) {
  return static_cast<uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
}

}  // namespace baton
