// SPDX-License-Identifier: MIT
//
// Handles faults. A task that faults ends, and the kernel reports the reason. Faults of the kernel
// and of main go to the board's `baton_fault`.
#include <baton/cortex_m_tasks/running.hpp>
#include <baton/cortex_m_tasks/switch.hpp>

extern "C" {

__attribute__((weak)) void baton_semihosting(unsigned operation, const unsigned* parameters);
}

#define HANDLER __attribute__((used, externally_visible))

namespace baton {
namespace cortex_m_tasks {

namespace {

enum : uint32_t {
  configuration = 0x14,
  handlers = 0x24,
  fault_status = 0x28,
  memory_address = 0x34,
  bus_address = 0x38
};

struct reason {
  kernel::fault why;
  uint32_t address;
};

/// Returns the task's frame if it is on its stack, as far as that can be known; else null.
const kernel::request* frame_of(const kernel::tcb& t, uint32_t stack_pointer) {
  const uint32_t offset = stack_pointer - reinterpret_cast<uint32_t>(t.stack);
  if (offset % 4 != 0 || offset >= t.made.stack_bytes || t.made.stack_bytes - offset < sizeof(kernel::request))
    return nullptr;
  return reinterpret_cast<const kernel::request*>(stack_pointer);
}

uint32_t program_counter(const kernel::tcb& t, uint32_t stack_pointer) {
  const kernel::request* frame = frame_of(t, stack_pointer);
  return frame ? frame->program_counter : 0;
}

kernel::fault_registers registers_of(const kernel::tcb& t, uint32_t stack_pointer) {
  const kernel::request* frame = frame_of(t, stack_pointer);
  if (!frame) return {0, stack_pointer, 0};
  return {frame->program_counter, stack_pointer + sizeof *frame, frame->timeout};
}

#ifdef __ARM_ARCH_6M__

reason reason_of(const kernel::tcb& t, uint32_t stack_pointer) {
  return reason{kernel::fault::other, program_counter(t, stack_pointer)};
}

void prepare() {}

#else

enum : uint32_t {
#ifdef __ARM_ARCH_8M_MAIN__
  while_pushing = 1 << 4 | 1 << 5 | 1 << 12 | 1 << 13 | 1 << 20,  // the last: the stack pointer's limit
  all_handlers = 15u << 16,
#else
  while_pushing = 1 << 4 | 1 << 5 | 1 << 12 | 1 << 13,
  all_handlers = 7u << 16,
#endif
  has_memory_address = 1 << 7,
  has_bus_address = 1 << 15,
  of_memory = 0xffff,
};

/// Tests whether a task has touched memory below its stack: the processor could not push its
/// registers there, or the task itself has pushed more than there is room for.
bool has_overflowed(const kernel::tcb& t, uint32_t status, uint32_t stack_pointer, uint32_t address) {
  constexpr uint32_t most_pushed = 64;
  const uint32_t stack = reinterpret_cast<uint32_t>(t.stack);
  constexpr uint32_t guard = 32;
  if ((status & while_pushing) || stack_pointer < stack) return true;
  const uint32_t end = stack + (t.is_privileged ? guard : 0);
  return (status & has_memory_address) && address < end && address >= end - most_pushed &&
         stack_pointer - address <= sizeof(kernel::request) + most_pushed;
}

/// Finds the reason of a fault. No frame was written if the processor failed to push it.
reason reason_of(const kernel::tcb& t, uint32_t stack_pointer) {
  const uint32_t status = system_register(fault_status);
  uint32_t address = 0;
  if (status & has_memory_address) {
    address = system_register(memory_address);
  } else if (status & has_bus_address) {
    address = system_register(bus_address);
  } else if (!(status & while_pushing)) {
    address = program_counter(t, stack_pointer);
  }
  system_register(fault_status) = status;  // writing ones clears them
  if (has_overflowed(t, status, stack_pointer, address)) {
    return reason{kernel::fault::stack_overflow, address ? address : stack_pointer};
  }
  return reason{status & of_memory ? kernel::fault::bad_access : kernel::fault::other, address};
}

/// Gives faults handlers of their own instead of the hard fault's, and makes a division by zero a
/// fault.
void prepare() {
  system_register(handlers) |= all_handlers;
  system_register(configuration) |= 1u << 4;
}

#endif

/// Lets a task end the program by a call of the emulator or debugger that needs privileges.
void end_program(uint32_t program_counter, const kernel::request& call) {
  constexpr uint32_t exit_extended = 0x20;
  if (!baton_semihosting || program_counter != (reinterpret_cast<uint32_t>(&baton_semihosting) & ~1u)) return;
  if (call.first == exit_extended) baton_semihosting(call.first, reinterpret_cast<const unsigned*>(call.second));
}

}  // namespace

void catch_faults() {
  prepare();
}

/// Drops a pending call whose frame could not be pushed, because it is not the next task's. A task
/// with privileges may have masked interrupts.
extern "C" HANDLER context_switch baton_kernel_fault(uint32_t stack_pointer) {
  constexpr uint32_t svc_pending = 1u << 15;
  kernel::kernel_state& m = *baton_running_kernel.state;
  kernel::tcb& t = *m.running;
  end_program(program_counter(t, stack_pointer), *reinterpret_cast<const kernel::request*>(stack_pointer));
  const reason r = reason_of(t, stack_pointer);
  system_register(handlers) &= ~svc_pending;
  __asm__ volatile("cpsie i" ::: "memory");
  const kernel::fault_registers registers = registers_of(t, stack_pointer);
  return go(&t.context, kernel::fail(m, r.why, r.address, &registers));
}

extern "C" __attribute__((naked)) HANDLER void baton_task_fault() {
  __asm__ volatile(
      ".syntax unified\n\t"
      "mov r0, lr\n\t"
      "lsrs r0, #3\n\t"  // bit 2: the stack of a task
      "bcs 1f\n\t"
      "ldr r0, =baton_fault\n\t"
      "bx r0\n\t"
      "1: mrs r0, psp\n\t"
      "push {r3, lr}\n\t"
      "bl baton_kernel_fault\n\t" BATON_SWITCH "\n\t.ltorg");
}

}  // namespace cortex_m_tasks
}  // namespace baton
