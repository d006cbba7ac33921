// SPDX-License-Identifier: MIT
import {guardMemory, hex, takePended} from './memory.mjs';

const ram = 0x20000000;
const hardFault = 3;
const interruptCycles = 15;
const stepsBetweenLooks = 1 << 16;

/** A program that this machine cannot begin; the message names the reason. */
export class Refused extends Error {}

/**
 * One RP2040 core that executes a program from its RAM. It adds what rp2040js leaves out: faults,
 * sleep that ends, the cycles of `push {lr}`, `pop {pc}` and interrupt entry, the depth of the
 * stack. README.md tells how accurate it is.
 *
 * `hooks` are called with the machine: onMark(which), onSemihosting(operation, parameter).
 * `end(state, exit, why)` stops the run.
 */
export class Machine {
  constructor(RP2040, program, hooks) {
    this.chip = new RP2040();
    this.core = this.chip.core;
    this.hooks = hooks;
    this.counts = {cycles: 0, reads: 0, writes: 0};
    this.instructions = 0;
    this.sleptNanos = 0;
    this.ended = null;
    this.fault = null;
    guardMemory(this.chip, this.counts, (why) => (this.fault ??= why));
    this.chip.onBreak = (code) => this.#onBreak(code);
    this.chip.addClockListener(() => (this.nanosPerCycle = 1e9 / this.chip.clkSys));
    this.nanosPerCycle = 1e9 / this.chip.clkSys;
    this.#load(program);
  }

  /** Emulated time in nanoseconds, sleep included. */
  get nanos() {
    return this.chip.clock.nanos;
  }

  /** The counts until now; sleep counts as cycles. */
  stamp() {
    const slept = Math.round(this.sleptNanos / this.nanosPerCycle);
    const {cycles, reads, writes} = this.counts;
    return {cycles: cycles + slept, reads: reads - this.fetches, writes};
  }

  end(state, exit, why) {
    this.ended ??= {state, exit, why};
  }

  /** Executes until the run ends, at the latest at these limits; `pace` keeps it from running ahead of the real time. */
  run(limitNanos, wallSeconds, pace = false) {
    const began = Date.now();
    const nap = new Int32Array(new SharedArrayBuffer(4));
    for (let step = 1; !this.ended; ++step) {
      if (this.asleep) {
        this.#sleep(limitNanos);
      } else {
        this.#step();
      }
      const ahead = pace ? this.nanos / 1e6 - (Date.now() - began) : 0;
      if (ahead > 1) Atomics.wait(nap, 0, 0, ahead);
      if (this.nanos >= limitNanos) {
        this.end('limit', 124, `end of the emulated time (--limit-ms); it was at ${hex(this.core.PC)}`);
      } else if (step % stepsBetweenLooks === 0 && Date.now() - began >= wallSeconds * 1000) {
        this.end('limit', 124, `end of the real time (--wall-s); it was at ${hex(this.core.PC)}`);
      }
    }
  }

  #load(program) {
    const {sram} = this.chip;
    for (const {address, hex: digits} of program.segments) {
      const bytes = Buffer.from(digits, 'hex');
      const offset = address - ram;
      if (offset < 0 || offset + bytes.length > sram.length) {
        throw new Refused(`${hex(address)}..${hex(address + bytes.length)} of the program is outside the RAM`);
      }
      sram.set(bytes, offset);
    }
    const named = (name) => program.symbols[name] ?? null;
    this.code = program.code;
    this.section = {start: 0, end: 0};
    this.markStart = named('baton_mark_start');
    this.markStop = named('baton_mark_stop');
    this.stackTop = named('__stack_top');
    this.stackLimit = named('__stack_limit');
    this.lowestStack = this.stackTop;
    this.core.SP = ram + sram.length;
    this.core.PC = program.entry & ~1;
    this.stack = this.core.SP;
    this.isMainStack = true;
    this.fetches = 0;
    this.asleep = false;
  }

  #isCode(address) {
    if (address >= this.section.start && address < this.section.end) return true;
    const found = this.code.find(({start, end}) => address >= start && address < end);
    if (found) this.section = found;
    return found !== undefined;
  }

  #step() {
    const {core} = this;
    let cycles = 0;
    while (core.interruptsUpdated && core.checkForInterrupts()) {
      takePended(core);
      cycles += interruptCycles;
    }
    const at = core.PC & ~1;
    if (at === this.markStart) this.hooks.onMark(this, 'start');
    if (at === this.markStop) this.hooks.onMark(this, 'stop');
    if (!this.#isCode(at)) this.fault = `it ran out of its code, to ${hex(at)}`;
    if (this.fault) return this.#raise(at);
    const opcode = this.chip.sramView.getUint16(at - ram, true);
    if (core.PM && opcode >>> 8 === 0xdf) {
      this.fault = 'svc while interrupts are masked';
      return this.#raise(at);
    }
    this.fetches += opcode >>> 11 > 0x1c ? 2 : 1;
    cycles += core.executeInstruction() + uncounted(opcode);
    ++this.instructions;
    this.counts.cycles += cycles;
    if (core.registers[13] !== this.stack) this.#watchStack(opcode, at);
    if (this.fault) return this.#raise(at);
    if (core.waiting) {
      core.waiting = false;
      this.asleep = true;
    }
    this.chip.clock.tick(cycles * this.nanosPerCycle);
  }

  /**
   * Ends `wfi` when an interrupt is pending, masked or not; rp2040js would take it although it is
   * masked, and miss SysTick's.
   */
  #sleep(limitNanos) {
    const {core, chip} = this;
    const pending = core.pendingInterrupts & core.enabledInterrupts;
    if (pending || core.pendingSystick || core.pendingPendSV || core.pendingSVCall || core.pendingNMI) {
      this.asleep = false;
      core.interruptsUpdated = true;
      return;
    }
    const next = chip.clock.nextAlarm ? chip.clock.nanosToNextAlarm : Infinity;
    const nanos = Math.min(next, limitNanos - this.nanos);
    this.sleptNanos += nanos;
    chip.clock.tick(nanos);
    if (next === Infinity) this.end('limit', 124, 'it sleeps, and nothing is left that could wake it');
  }

  /** Answers a fault as the chip does: by the exception, or by the end for a fault within it. */
  #raise(at) {
    const {core} = this;
    const why = `${this.fault}, at ${hex(at)}`;
    this.why ??= why;
    this.fault = null;
    if (core.IPSR === hardFault) return this.end('crashed', 125, `${this.why}; then in the fault handler: ${why}`);
    core.PC = at;
    core.exceptionEntry(hardFault);
    if (this.fault || !this.#isCode(core.PC & ~1)) this.end('crashed', 125, `${this.why}; there is no fault handler`);
  }

  #onBreak(code) {
    const {registers} = this.core;
    if (code === 0xab) {
      this.hooks.onSemihosting(this, registers[0], registers[1]);
    } else {
      this.fault ??= `breakpoint or undefined instruction ${code}`;
    }
  }

  /**
   * A program that sets the pointer outside of the main stack intends it, for a task's own stack; a
   * program that pushes that far does not.
   */
  #watchStack(opcode, at) {
    this.stack = this.core.registers[13];
    if (this.stackTop === null || this.core.SPSEL) return;  // the process stack is a task's
    if (setsStack(opcode)) this.isMainStack = this.stack > this.stackLimit && this.stack <= this.stackTop;
    if (!this.isMainStack) return;
    if (this.stack < this.stackLimit) {
      this.end('crashed', 125, `the stack ran into the static data, at ${hex(at)}`);
    } else if (this.stack < this.lowestStack) {
      this.lowestStack = this.stack;
    }
  }
}

/** True for `mov sp, Rm` and `msr`. */
function setsStack(opcode) {
  return (opcode & 0xff87) === 0x4685 || (opcode & 0xfff0) === 0xf380;
}

/**
 * The accesses that rp2040js does not count: it takes lr in `push`, and pc in `pop`, for no access.
 *
 * Source   Cortex-M0+ Technical Reference Manual (DDI 0484C), "Instruction set summary".
 */
function uncounted(opcode) {
  const group = opcode >>> 8;
  return group === 0xb5 || group === 0xbd ? 1 : 0;
}
