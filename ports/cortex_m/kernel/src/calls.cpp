// SPDX-License-Identifier: MIT
//
// Handles SVC, by which a task calls the kernel.
#include <baton/cortex_m_tasks/running.hpp>
#include <baton/cortex_m_tasks/switch.hpp>

using namespace baton::cortex_m_tasks;
namespace kernel = baton::kernel;

namespace {

template <kernel::call_number N>
context_switch enter(kernel::request& r, kernel::kernel_state& m, kernel::word) {
  kernel::tcb* self = m.running;
  return may_call(self, r) ? go(&self->context, kernel::enter<N>(m, r)) : refuse_call(r, m);
}

using kernel::call_number;

}  // namespace

extern "C" {

/// The calls that have a function of their own, and the function of all others.
__attribute__((externally_visible)) extern const call baton_kernel_calls[first_calls + 1];
__attribute__((used)) const call baton_kernel_calls[first_calls + 1] = {
    enter<call_number::send>,          enter<call_number::receive>, enter<call_number::reply>,
    enter<call_number::reply_receive>, enter<call_number::yield>,   baton_kernel_other_call,
};

/// Takes the call's number from r4, which an earlier interrupt leaves alone; the rest is in the
/// frame.
__attribute__((naked)) __attribute__((used, externally_visible)) void baton_svc_handler() {
  __asm__ volatile(".syntax unified\n\t" BATON_BEGIN_CALL
                   "ldr r1, =baton_running_kernel\n\t"
                   "mrs r0, psp\n\t"
                   "ldr r1, [r1]\n\t"
                   "ldr r3, =baton_kernel_calls\n\t"
                   "cmp r4, #4\n\t"
                   "bhi 1f\n\t"
#ifdef __ARM_ARCH_6M__
                   "lsls r2, r4, #2\n\t"
                   "ldr r3, [r3, r2]\n\t"
#else
                   "ldr r3, [r3, r4, lsl #2]\n\t"
#endif
                   "2: blx r3\n\t" BATON_END_CALL
                   "1: mov r2, r4\n\t"
                   "ldr r3, [r3, #20]\n\t"
                   "b 2b\n\t"
                   ".ltorg");
}

}  // extern "C"

/// Gives SVC the lowest priority.
void baton::cortex_m_tasks::take_calls() {
  constexpr uint32_t svc_priority = 0x1c;
  system_register(svc_priority) |= 0xffu << 24;
}
