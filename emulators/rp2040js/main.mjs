// SPDX-License-Identifier: MIT
//
// Runs a program of the RP2040 in rp2040js: its console on standard output, what became of it as one JSON line on
// standard error. README.md says what the program can tell the runner.
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, writeSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

import {readElf} from './elf.mjs';
import {Machine} from './machine.mjs';
import {UsageError, parse} from './options.mjs';
import {Intervals} from './records.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const baud = 115200;
const longestLine = 4096;
const semihosting = {exit: 0x18, exitExtended: 0x20, applicationExit: 0x20026};
const exitCrashed = 125;

async function emulator() {
  const folder = process.env.BATON_RP2040JS ?? join(here, '../../build/lab/rp2040js/node_modules/rp2040js');
  const module = join(folder, 'dist/esm/index.js');
  if (!existsSync(module)) throw new UsageError('rp2040js is not installed: ./baton setup rp2040');
  return import(pathToFileURL(module));
}

function read(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${path}: ${error.code}`);
  }
}

function checkBoard(path) {
  if (!/^kind *= *"rp2040js"/m.test(read(path).toString())) throw new UsageError(`${path}: not a board of rp2040js`);
}

/** Whether the parts of the RAM that stand for flash and RAM hold the program, which is more than where its bytes lie. */
function refuseTooLarge({board, program}) {
  const size = spawnSync(join(here, '../../tools/program_size/program-size'), ['--board', board, program], {encoding: 'utf8'});
  if (size.status === 1) throw new UsageError(size.stderr.trim());
}

/** Gathers lines and writes each whole, filled in. */
class Console {
  #line = [];
  lines = 0;

  constructor(intervals) {
    this.intervals = intervals;
  }

  put(byte) {
    this.#line.push(byte);
    if (byte === 10) ++this.lines;
    if (byte === 10 || this.#line.length === longestLine) this.flush();
  }

  flush() {
    writeAll(1, this.intervals.fill(Buffer.from(this.#line)));
    this.#line = [];
  }
}

function writeAll(descriptor, bytes) {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(descriptor, bytes, done);
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

/** Feeds the receiver, a byte each byte time; one that comes while it is off is lost. */
function feed(machine, {ms, bytes}) {
  const uart = machine.chip.uart[0];
  const alarm = machine.chip.clock.createAlarm(() => {
    if (uart.enabled && uart.rxEnabled) uart.feedByte(bytes[0]);
    bytes = bytes.slice(1);
    if (bytes.length) alarm.schedule(1e10 / baud);
  });
  if (bytes.length) alarm.schedule(ms * 1e6);
}

function report(machine) {
  const {state, exit, why} = machine.ended;
  if (why) process.stderr.write(`rp2040-runner: ${state}: ${why}\n`);
  const {cycles, reads, writes} = machine.stamp();
  const facts = {state, exit, cycles, instructions: machine.instructions, reads, writes};
  if (machine.stackTop !== null) {
    Object.assign(facts, {stack_bytes: machine.stackTop - machine.lowestStack, min_sp: machine.lowestStack});
  }
  writeAll(2, Buffer.from(`${JSON.stringify(facts)}\n`));
  return exit;
}

async function main(words) {
  const options = parse(words);
  checkBoard(options.board);
  const program = readElf(read(options.program), options.program);
  refuseTooLarge(options);
  const intervals = new Intervals();
  const output = new Console(intervals);
  const machine = new Machine((await emulator()).RP2040, program, {
    onMark: (stamped, which) => intervals[which](stamped.stamp()),
    onSemihosting,
  });
  machine.chip.uart[0].onByte = (byte) => {
    if (machine.ended) return;
    output.put(byte);
    if (options.lines && output.lines === options.lines) machine.end('lines', 0);
  };
  for (const send of options.sends) feed(machine, send);
  machine.run(options.limitMs * 1e6, options.wallSeconds);
  output.flush();
  return report(machine);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`rp2040-runner: ${error.message}\n`);
  process.exitCode = 2;
}
