// SPDX-License-Identifier: MIT
#include "masks.h"

#include <string.h>

// The effect of an instruction on the mask. An entry masks before it executes, others behind it.
enum effect { none, enters, masks, unmasks };

static bool is_masked;
static uint64_t run, longest;

// Arm state, ARMv5. Source: ARM Architecture Reference Manual (DDI 0100), A2.6, A4.1.21 LDM (3),
// A4.1.39 MSR. A register that MSR writes counts as one that masks: so a run is never too short.
static enum effect of_arm(uint32_t code, uint64_t address) {
  if (address < 0x20) return enters;                                                   // a vector
  if ((code & 0x0e508000) == 0x08508000) return unmasks;                               // ldm {..pc}^
  if ((code & 0x0ffff000) == 0x0321f000) return (code & 0x80) != 0 ? masks : unmasks;  // msr cpsr_c, #
  return (code & 0x0ffffff0) == 0x0121f000 ? masks : none;                             // msr cpsr_c, register
}

// Thumb, ARMv6-M and ARMv7-M. An exception masks nothing. Source: DDI 0403, B5.2.1 CPS, B5.2.3 MSR.
static enum effect of_thumb(uint16_t first, const uint8_t* bytes) {
  if (first == 0xb672) return masks;    // cpsid i
  if (first == 0xb662) return unmasks;  // cpsie i
  if ((first & 0xfff0) != 0xf380) return none;
  return bytes[2] == 0x10 ? unmasks : none;  // msr primask: what it was before
}

// RV32. Source: RISC-V Privileged Architectures, version 20211203, 3.1.6.1.
static enum effect of_riscv(const struct options* options, const uint8_t* bytes, uint64_t address) {
  for (size_t i = 0; i < options->trap_count; ++i) {
    if (address >= options->traps[i].low && address < options->traps[i].high) return enters;
  }
  if ((bytes[0] & 3) != 3) return none;  // compressed
  uint32_t code;
  memcpy(&code, bytes, sizeof code);
  if (code == 0x30200073) return unmasks;  // mret
  if ((code & 0xfff0707f) != 0x30006073 && (code & 0xfff0707f) != 0x30007073 && (code & 0xfff0707f) != 0x30002073)
    return none;  // csrrsi, csrrci, csrrs of mstatus
  const uint32_t source = code >> 15 & 31;
  if ((code & 0x7000) == 0x2000) return source ? unmasks : none;  // csrs mstatus, register: what it was before
  if ((source & 8) == 0) return none;
  return (code & 0x7000) == 0x6000 ? unmasks : masks;
}

static enum effect effect_of(const struct options* options, const uint8_t* bytes, uint64_t address) {
  if (options->masks == masks_of_riscv) return of_riscv(options, bytes, address);
  if (options->masks == masks_of_arm) {
    uint32_t code;
    memcpy(&code, bytes, sizeof code);
    return of_arm(code, address);
  }
  uint16_t first;
  memcpy(&first, bytes, sizeof first);
  return of_thumb(first, bytes);
}

static void on_execution(unsigned vcpu, void* data) {
  (void)vcpu;
  const enum effect effect = (enum effect)(uintptr_t)data;
  if (effect == enters && !is_masked) {
    is_masked = true;
    run = 0;
  }
  if (is_masked && ++run > longest) longest = run;
  if (effect == masks && !is_masked) {
    is_masked = true;
    run = 0;
  }
  if (effect == unmasks) is_masked = false;
}

void masks_watch(const struct options* options, struct qemu_plugin_insn* instruction, uint64_t address) {
  const enum effect effect = effect_of(options, qemu_plugin_insn_data(instruction), address);
  qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_execution, qemu_plugin_cb_no_regs, (void*)(uintptr_t)effect);
}

void masks_start(void) {
  longest = run = 0;
}

uint64_t masks_longest(void) {
  return longest;
}
