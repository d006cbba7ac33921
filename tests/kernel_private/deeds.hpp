// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"
#ifdef __riscv
#include "riscv32.hpp"
#endif

/// The private tasks.
namespace private_tasks {

// ---- What a private task must not touch

inline void read_variable(state&) {
  go_on();
  desk.value.results[0] = variable;
  go_on();
}
inline void write_variable(state&) {
  go_on();
  variable = 1;
  go_on();
}
inline void read_data_of_another(state&) {
  go_on();
  desk.value.results[0] = word_at(reinterpret_cast<uintptr_t>(desk.value.data));
  go_on();
}
/// The other task has used it just before.
inline void read_data_after_a_call(state& s) {
  kernel::send(desk.value.owner, nullptr, 0, nullptr, 0);
  kernel::send(desk.value.owner, nullptr, 0, nullptr, 0);
  read_data_of_another(s);
}
inline void write_stack_of_another(state&) {
  go_on();
  owner_memory.words[8] = 0;
  go_on();
}
inline void read_kernel(state&) {
  go_on();
  desk.value.results[0] = word_of(the_kernel);
  go_on();
}
inline void read_what_others_share(state&) {
  go_on();
  desk.value.results[0] = word_of(strange);
  go_on();
}
inline void read_device(state&) {
  go_on();
  desk.value.results[0] = word_at(a_device);
  go_on();
}

/// Shares nothing with anybody.
inline void write_variable_alone(state&) {
  variable = 77;
}

struct misdeed {
  const char* name;
  void (*commit)(state&);
};
const misdeed misdeeds[] = {{"read a variable", read_variable},
                            {"write a variable", write_variable},
                            {"read another's data", read_data_of_another},
                            {"read another's data after a call", read_data_after_a_call},
                            {"write another's stack", write_stack_of_another},
                            {"read the kernel's memory", read_kernel},
                            {"read what others share", read_what_others_share},
                            {"read a device", read_device},
#ifdef __riscv
                            {"write code", write_code},
                            {"execute its data", execute_data},
                            {"read behind its piece", read_behind_piece},
                            {"fail with the kernel's stack", fail_with_stack_of_kernel},
                            {"fail with another gp", fail_with_another_global_pointer}
#endif
};

// ---- The same for tasks that are not private

inline void open_read_kernel(state&) {
  variable = 1;
  variable = 2 | word_of(the_kernel);
}
inline void open_write_stack_of_another(state&) {
  variable = 1;
  owner_memory.words[8] = 0;
  variable = 2;
}
inline void open_read_what_others_share(state&) {
  variable = 1;
  variable = 2 | word_of(desk);
}
const misdeed open_misdeeds[] = {{"open: read the kernel's memory", open_read_kernel},
                                 {"open: write another's stack", open_write_stack_of_another},
                                 {"open: read what private tasks share", open_read_what_others_share}};

/// Touches its own data, a variable and a device.
inline void open_use(state& s) {
  variable = 1;
  s.starts = word_at(a_device) & 0;
  variable = variable + 1 + s.starts;
}

// ---- What it may

/// The device is part of its description.
inline void use_device(state&) {
  go_on();
  desk.value.results[0] = word_at(kernel::register_of_device(a_register));
  go_on();
}

/// Is ended and made again: its data is as new.
inline void count_starts(state& s) {
  desk.value.results[0] = s.magic;
  desk.value.results[1] = ++s.starts;
  s.magic = 0xbad;
  go_on();
  kernel::receive(nullptr, 0);
}

/// Names memory of each kind in calls. The judge counts the messages that it gets.
inline void name_memory(state& s) {
  go_on();
  const kernel::tid judge = kernel::parent();
  desk.value.results[0] = kernel::send(judge, &s, sizeof s, &s, sizeof s).raw();
  desk.value.results[1] = kernel::send(judge, &desk, 4, const_cast<word*>(&desk.value.results[7]), 4).raw();
  desk.value.results[2] = kernel::send(judge, const_cast<uint32_t*>(&variable), 4, nullptr, 0).raw();
  desk.value.results[3] = kernel::send(judge, nullptr, 0, const_cast<uint32_t*>(&variable), 4).raw();
  desk.value.results[4] = kernel::send(judge, owner_memory.words, 4, nullptr, 0).raw();
  desk.value.results[5] = kernel::send(judge, &strange, 4, nullptr, 0).raw();
  desk.value.results[6] = kernel::send(judge, reinterpret_cast<void*>(a_device), 4, nullptr, 0).raw();
  go_on();
}

inline void end_at_once(state&) {}
inline void end_without_state(void*) {}

inline word outcome_of(const kernel::task_description& d) {
  const kernel::created c = kernel::create(d);
  if (c) kernel::kill(c.id);
  return c.result.raw();
}

/// Asks for children that would reach more than their maker, and for one that does not.
inline void make_children(state&) {
  go_on();
  const auto describe = [] { return kernel::describe(1, end_at_once, child_memory, "child"); };
  kernel::task_description open = describe();
  open.touches.is_private = false;
  desk.value.results[0] = outcome_of(open);
  desk.value.results[1] = outcome_of(kernel::sharing(strange, describe()));
  desk.value.results[2] = outcome_of(kernel::with_device(a_device + 0x1000, 0x400, describe()));
  kernel::task_description uneven = kernel::sharing(desk, describe());
  uneven.touches.shared.bytes -= 4;
  desk.value.results[3] = outcome_of(uneven);
  desk.value.results[4] = outcome_of(kernel::with_device(a_device, 0x400, kernel::sharing(desk, describe())));
  go_on();
}

/// Waits with data that nobody else may see, and uses it whenever it is asked.
inline void own(state& s) {
  desk.value.data = &s;
  desk.value.owner = kernel::my_tid();
  for (kernel::received m; (m = kernel::receive(nullptr, 0)); ++s.starts) kernel::reply(m.client, nullptr, 0);
}

#ifdef BATON_HAS_MPU

/// Has a stack among the ordinary variables.
inline void use_open_stack(void*) {
  volatile uint32_t here = 5;
  kernel::yield();
  variable = here;
}

/// Waits with a frame that others could change meanwhile, in what it shares with them.
inline void wait_on_shared_memory(state&) {
  go_on();
  __asm__ volatile("mov sp, %0\n\tmovs r3, #0\n\tmov r12, r3\n\tmvn lr, r3\n\tmovs r4, #1\n\tsvc 0\n\tb ." ::"r"(
      desk.value.frame + 8));
}

/// Fills the registers that a switch saves, and waits with them.
__attribute__((naked)) inline void wait_with_registers(void*) {
  __asm__ volatile(
      "mov r5, #77\n\tmov r6, r5\n\tmov r7, r5\n\tmov r8, r5\n\tmov r9, r5\n\tmov r10, r5\n\tmov r11, r5\n\t"
      "mov r0, #0\n\tmov r1, #0\n\tmov r2, #0\n\tmov r3, #0\n\tmov r12, #0\n\tmvn lr, r0\n\t"
      "mov r4, #1\n\tsvc 0\n\tb .");
}
/// Says what it finds in them at its start.
__attribute__((naked)) inline void look_at_registers(void*) {
  __asm__ volatile(
      "orr r1, r4, r5\n\torr r1, r1, r6\n\torr r1, r1, r7\n\torr r1, r1, r8\n\torr r1, r1, r9\n\t"
      "orr r1, r1, r10\n\torr r1, r1, r11\n\tstr r1, [r0]\n\tbx lr");
}

#elif defined(BATON_HAS_MMU)

__attribute__((naked)) inline void wait_with_registers(void*) {
  __asm__ volatile(
      "mov r6, #77\n\tmov r7, r6\n\tmov r8, r6\n\tmov r9, r6\n\tmov r10, r6\n\tmov r11, r6\n\tmov lr, r6\n\t"
      "mov r0, #0\n\tmov r1, #0\n\tmov r2, #0\n\tmov r3, #0\n\tmov r4, #0\n\tmvn r5, r0\n\t"
      "mov r12, #1\n\tswi 0\n\tb .");
}
__attribute__((naked)) inline void look_at_registers(void*) {
  __asm__ volatile(
      "orr r1, r1, r2\n\torr r1, r1, r3\n\torr r1, r1, r4\n\torr r1, r1, r5\n\torr r1, r1, r6\n\torr r1, r1, r7\n\t"
      "orr r1, r1, r8\n\torr r1, r1, r9\n\torr r1, r1, r10\n\torr r1, r1, r11\n\torr r1, r1, r12\n\t"
      "str r1, [r0]\n\tbx lr");
}

#endif

}  // namespace private_tasks
