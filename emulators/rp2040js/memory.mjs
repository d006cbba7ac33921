// SPDX-License-Identifier: MIT

const complaint = /^(Read from invalid|Write to undefined|Warning: Instruction)/;
const bootRomEnd = 0x4000;
const systickControl = 0xe000e010;
const systickValue = 0xe000e018;
const pendInterrupts = 0xe000e200;

/**
 * Makes the core's memory as strict as the chip's: accesses that rp2040js allows or only logs are
 * faults here. It also counts.
 *
 * `counts` gets `reads`, fetches included, and `writes`, one for each access of an instruction or
 * an exception; `onFault` gets the reason.
 * Source   RP2040 data sheet, "Address Map" and "Processor subsystem"; ARMv6-M Architecture
 *          Reference Manual, "Alignment support".
 */
export function guardMemory(chip, counts, onFault) {
  chip.logger = {
    debug() {},
    info() {},
    warn(_, text) {
      if (complaint.test(text)) onFault(text);
    },
    error() {},
  };
  const {core} = chip;
  const reader = (read, size) => (address) => {
    address >>>= 0;
    ++counts.reads;
    if (address & (size - 1)) onFault(`a read of ${size} bytes at ${hex(address)}, which is not aligned`);
    return read.call(chip, address);
  };
  const writer = (write, size) => (address, value) => {
    address >>>= 0;
    ++counts.writes;
    if (address < bootRomEnd) return onFault(`a write to the boot ROM, ${hex(address)}`);
    if (address & (size - 1)) onFault(`a write of ${size} bytes at ${hex(address)}, which is not aligned`);
    write.call(chip, address, value);
  };
  core.readUint32 = reader(chip.readUint32, 4);
  core.readUint16 = reader(chip.readUint16, 2);
  core.readUint8 = reader(chip.readUint8, 1);
  core.writeUint32 = notePended(chip, mendSystick(chip, writer(chip.writeUint32, 4)));
  core.writeUint16 = writer(chip.writeUint16, 2);
  core.writeUint8 = writer(chip.writeUint8, 1);
}

/**
 * Lets a write to SysTick's value start it over at the next cycle. In rp2040js such a write ends
 * the period, with its interrupt.
 *
 * Source   ARMv6-M Architecture Reference Manual, "SysTick Current Value Register".
 */
function mendSystick(chip, write) {
  const {ppb} = chip;
  return (address, value) => {
    write(address, value);
    const restarts = address === systickValue || (address === systickControl && ppb.systickTimer.baseValue === 0);
    if (!restarts) return;
    ppb.systickCountFlag = false;
    ppb.systickTimer.set(ppb.systickReload);
  };
}

/**
 * Remembers the interrupts that the program pends. rp2040js takes each of a device's numbers for
 * the level of a line, which stays until the device lowers it.
 */
function notePended(chip, write) {
  const {core} = chip;
  core.pendedByProgram = 0;
  return (address, value) => {
    if (address === pendInterrupts) core.pendedByProgram |= value & ~core.pendingInterrupts;
    write(address, value);
  };
}

/**
 * Ends the pending state of an interrupt that the program pended, once the processor takes it.
 *
 * Source   ARMv6-M Architecture Reference Manual, "NVIC_ISPR".
 */
export function takePended(core) {
  const bit = core.IPSR < 16 ? 0 : 1 << (core.IPSR - 16);
  if (!(core.pendedByProgram & bit)) return;
  core.pendedByProgram &= ~bit;
  core.pendingInterrupts &= ~bit;
}

/** Formats an address for people. */
export function hex(address) {
  return `0x${(address >>> 0).toString(16)}`;
}
