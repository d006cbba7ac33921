// SPDX-License-Identifier: MIT

const mark = Buffer.from('baton-bench/1 ');

// Between the stamps of an empty interval lie the return from the first mark, 2 cycles, and the call of the second, 3.
const emptyIntervalCycles = 5;

/** The measured intervals since the last record line. */
export class Intervals {
  #done = [];
  #start = null;

  start(counts) {
    this.#start = counts;
  }

  stop(counts) {
    if (!this.#start) return;
    const cycles = counts.cycles - this.#start.cycles - emptyIntervalCycles;
    this.#done.push({
      '': Math.max(cycles, 0),
      r: counts.reads - this.#start.reads,
      w: counts.writes - this.#start.writes,
    });
    this.#start = null;
  }

  /** The counts of interval K for each of the iterations, or "missing". */
  value(kind, which, iterations) {
    const interval = this.#done[which];
    return interval && iterations ? (interval[kind] / iterations).toFixed(3) : 'missing';
  }

  /** A line as it is to be printed: in a record, `#K` becomes the cycles of interval K, `#rK` its reads, `#wK` its writes. */
  fill(line) {
    if (!line.subarray(0, mark.length).equals(mark)) return line;
    const text = line.toString('latin1');
    const iterations = Number(/(?:^| )iterations=(\d{1,18})(?=[ \r\n]|$)/.exec(text)?.[1] ?? 0);
    const filled = text.replace(/(=)#([rw]?)(\d{1,18})(?=[ \r\n]|$)/g, (whole, equals, kind, which) => {
      return equals + this.value(kind, Number(which), iterations);
    });
    this.#done = [];
    this.#start = null;
    return Buffer.from(filled, 'latin1');
  }
}
