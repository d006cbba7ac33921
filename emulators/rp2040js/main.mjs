// SPDX-License-Identifier: MIT
//
// Runs a program of the RP2040 in rp2040js and reports in frames on standard output what it does.
// emulators/run starts it with a plan on standard input; emulators/runner/framed.py describes the
// frames, rp2040js.py beside it the plan.
import {readFileSync, writeSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

import {Machine, Refused} from './machine.mjs';
import {Pads} from './pads.mjs';

const longestLine = 4096;
const semihosting = {exit: 0x18, exitExtended: 0x20, applicationExit: 0x20026};
const exitCrashed = 125;

// Between the stamps of an empty interval lie the return from the first mark, 2 cycles, and the
// call of the second, 3.
const emptyIntervalCycles = 5;

/** Gathers lines and reports each as a whole. */
class Console {
  #line = [];
  lines = 0;

  /** With a `clock` each byte is reported at once, after its time. */
  constructor(clock = null) {
    this.clock = clock;
  }

  put(byte) {
    this.#line.push(byte);
    if (byte === 10) ++this.lines;
    if (this.clock) tell(`at ${Math.round(this.clock.nanos)}`);
    if (byte === 10 || this.clock || this.#line.length === longestLine) this.flush();
  }

  flush() {
    tell(`text ${this.#line.length}`, Buffer.from(this.#line));
    this.#line = [];
  }
}

function tell(frame, bytes = Buffer.alloc(0)) {
  const all = Buffer.concat([Buffer.from(`${frame}\n`), bytes]);
  for (let done = 0; done < all.length; ) {
    try {
      done += writeSync(1, all, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function exitCode(machine, operation, parameter) {
  if (operation === semihosting.exit) return parameter === semihosting.applicationExit ? 0 : 1;
  return machine.chip.readUint32(parameter + 4) & 0xff;
}

function onSemihosting(machine, operation, parameter) {
  if (operation !== semihosting.exit && operation !== semihosting.exitExtended) {
    machine.fault = `semihosting operation ${operation}, which this runner does not have`;
    return;
  }
  const code = exitCode(machine, operation, parameter);
  machine.end(code === exitCrashed ? 'crashed' : 'finished', code, machine.why);
}

/** Returns the function for marks, which reports each interval that has ended. */
function intervals() {
  let start = null;
  return (machine, which) => {
    const stamp = machine.stamp();
    if (which === 'stop' && start) {
      const cycles = Math.max(stamp.cycles - start.cycles - emptyIntervalCycles, 0);
      tell(`interval ${cycles} ${stamp.reads - start.reads} ${stamp.writes - start.writes}`);
    }
    start = which === 'start' ? stamp : null;
  };
}

/** Feeds the receiver, one byte per byte time; a byte that comes while it is off is lost. */
function feed(machine, {us, hex}, baud) {
  const uart = machine.chip.uart[0];
  let bytes = Buffer.from(hex, 'hex');
  const alarm = machine.chip.clock.createAlarm(() => {
    if (uart.enabled && uart.rxEnabled) uart.feedByte(bytes[0]);
    bytes = bytes.subarray(1);
    if (bytes.length) alarm.schedule(1e10 / baud);
  });
  if (bytes.length) alarm.schedule(us * 1e3);
}

/** Changes a pin, or the voltage at a channel of the ADC, at its time. */
function change(machine, pads, {us, kind, number, value}) {
  const alarm = machine.chip.clock.createAlarm(() => {
    if (kind === 'pin') pads.drive(number, value === 1);
    if (kind === 'adc') pads.supply(number, value);
  });
  alarm.schedule(us * 1e3);
}

/** Reports a pin's level and its time, after what was printed before. */
function onLevel(machine, output, number, level) {
  if (machine.ended) return;
  output.flush();
  tell(`at ${Math.round(machine.nanos)}`);
  tell(`level ${number} ${level ? 1 : 0}`);
}

function report(machine) {
  const {cycles, reads, writes} = machine.stamp();
  const facts = {...machine.ended, cycles, instructions: machine.instructions, reads, writes};
  if (machine.stackTop !== null) {
    Object.assign(facts, {stack_bytes: machine.stackTop - machine.lowestStack, min_sp: machine.lowestStack});
  }
  tell(`end ${JSON.stringify(facts)}`);
}

async function main() {
  const plan = JSON.parse(readFileSync(0));
  const {RP2040} = await import(pathToFileURL(plan.emulator));
  const machine = new Machine(RP2040, plan, {onMark: intervals(), onSemihosting});
  const output = new Console(plan.untilUs ? machine.chip.clock : null);
  machine.chip.uart[0].onByte = (byte) => {
    if (machine.ended) return;
    output.put(byte);
    if (plan.lines && output.lines === plan.lines) machine.end('lines', 0);
  };
  const pads = new Pads(machine.chip);
  for (const input of plan.inputs) change(machine, pads, input);
  for (const send of plan.sends) feed(machine, send, plan.baud);
  for (const number of plan.watches) pads.watch(number, (level) => onLevel(machine, output, number, level));
  if (plan.untilUs) machine.chip.clock.createAlarm(() => machine.end('script', 0)).schedule(plan.untilUs * 1e3);
  machine.run(plan.limitMs * 1e6, plan.wallSeconds, plan.pace);
  output.flush();
  if (plan.untilUs) tell(`at ${Math.round(machine.nanos)}`);
  report(machine);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  tell(`end ${JSON.stringify({state: 'refused', exit: 2, why: error.message})}`);
}
