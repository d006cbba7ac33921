// SPDX-License-Identifier: MIT
//
// Handles PendSV, which follows an interrupt that has raised attention, and main, which sleeps
// while no task is ready.
#include <baton/cortex_m_tasks/running.hpp>
#include <baton/cortex_m_tasks/switch.hpp>
#include <baton/kernel/kernel_state.hpp>
#include <baton/kernel_switch.hpp>

BATON_SPI_TRAPS_ARE_HERE();

using baton::kernel_port;
using baton::port;
using namespace baton::cortex_m_tasks;
namespace kernel = baton::kernel;

BATON_KERNEL_MEMORY __attribute__((used, externally_visible)) running_kernel baton_running_kernel;

namespace {

enum : uint32_t { interrupt_control = 0x04, pend_sv_priority = 0x20 };
constexpr uint32_t pend_sv = 1u << 28;

}  // namespace

#define HANDLER __attribute__((used, externally_visible))

extern "C" {

HANDLER void baton_kernel_pend() {
  system_register(interrupt_control) = pend_sv;
}

/// Selects the contexts to switch. `return_code` tells whether a task or main was interrupted; main
/// is left only where it waits to enter.
HANDLER context_switch baton_kernel_handle_pending(uint32_t return_code) {
  constexpr uint32_t of_a_task = 1u << 2;
  if (return_code & of_a_task) {
    kernel::kernel_state& m = *baton_running_kernel.state;
    kernel::tcb* self = m.running;
    return go(&self->context, kernel::spi::check_guard(m, self, kernel::handle_pending(m)));
  }
  if (!baton_running_kernel.is_entering) return 0;
  baton_running_kernel.is_entering = false;
  return go(&baton_running_kernel.main, kernel::handle_pending(*baton_running_kernel.state));
}

__attribute__((naked)) HANDLER void baton_pend_sv_handler() {
  __asm__ volatile(
      "mov r0, lr\n\t"
      "push {r3, lr}\n\t"
      "bl baton_kernel_handle_pending\n\t" BATON_SWITCH "\n\t.ltorg");
}

void baton_kernel_run(kernel::kernel_state& m) {
  constexpr uint32_t to_main = 0xfffffff9;
  take_calls();
  system_register(pend_sv_priority) |= 0xffu << 16;
  catch_faults();
  protect_memory();
  baton_running_kernel.state = &m;
  baton_running_kernel.main.return_code = to_main;
#ifdef BATON_HAS_MPU
  baton_running_kernel.main.mpu = baton::mpu::own_region;
#endif
  port::start();
  kernel::run_until_stopped(m, [] {
    baton_running_kernel.is_entering = true;
    system_register(interrupt_control) = pend_sv;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
  });
  baton_running_kernel.state = nullptr;
  unprotect_memory();
}

}  // extern "C"
