// SPDX-License-Identifier: MIT
import {UsageError} from './options.mjs';

const machineArm = 40;
const segmentLoad = 1;
const sectionSymbols = 2;
const flagExecutable = 4;

/**
 * An executable for a 32-bit ARM: what is loaded where, where its code is, and its symbols.
 *
 * Errors   UsageError: it is something else, or cut short.
 * Source   System V ABI, "Object Files"; ELF for the ARM Architecture.
 */
export function readElf(bytes, name) {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (file.getUint32(0) !== 0x7f454c46 || bytes[4] !== 1 || bytes[5] !== 1) throw new RangeError();
    if (file.getUint16(16, true) !== 2 || file.getUint16(18, true) !== machineArm) throw new RangeError();
    const sections = readSections(file);
    return {
      entry: file.getUint32(24, true),
      segments: readSegments(file, bytes),
      code: sections.filter((section) => section.flags & flagExecutable),
      symbols: readSymbols(file, bytes, sections),
    };
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${name}: not an ARM program`);
    throw error;
  }
}

function readSegments(file, bytes) {
  const [table, size, count] = [file.getUint32(28, true), file.getUint16(42, true), file.getUint16(44, true)];
  const segments = [];
  for (let at = table; at < table + size * count; at += size) {
    const word = (offset) => file.getUint32(at + offset, true);
    if (word(0) !== segmentLoad || word(16) === 0) continue;
    if (word(4) + word(16) > bytes.length) throw new RangeError();
    segments.push({address: word(12), bytes: bytes.subarray(word(4), word(4) + word(16))});
  }
  return segments;
}

function readSections(file) {
  const [table, size, count] = [file.getUint32(32, true), file.getUint16(46, true), file.getUint16(48, true)];
  const sections = [];
  for (let at = table; at < table + size * count; at += size) {
    const word = (offset) => file.getUint32(at + offset, true);
    const section = {type: word(4), flags: word(8), start: word(12), offset: word(16), size: word(20), link: word(24)};
    sections.push({...section, end: section.start + section.size});
  }
  return sections;
}

function readSymbols(file, bytes, sections) {
  const symbols = new Map();
  for (const {offset, size, link} of sections.filter(({type}) => type === sectionSymbols)) {
    const names = sections[link].offset;
    for (let at = offset; at < offset + size; at += 16) {
      const start = names + file.getUint32(at, true);
      const name = bytes.toString('latin1', start, bytes.indexOf(0, start));
      if (name) symbols.set(name, file.getUint32(at + 4, true));
    }
  }
  return symbols;
}
