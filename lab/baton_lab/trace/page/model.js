// SPDX-License-Identifier: MIT
// Rows and bars in typed arrays, and sums before each bar: the share of a state in any span of time costs a search.

const RUNNING = 0, READY = 1, WAITING = 2, IDLE = 3;
const CUT_BEGIN = 16, CUT_END = 32;
const STATES = ["running", "ready", "waiting", "idle"];

class Model {
  static async read() {
    const model = new Model();
    Object.assign(model, described());
    await model.readBars();
    await model.readFlows();
    await model.readMarks();
    model.readDepths();
    model.countWaits();
    return model;
  }

  async readBars() {
    const [gap, length, state, what, by] = [
      await column("gap"), await column("length"), await column("state"), await column("what"), await column("by")];
    const bars = gap.length;
    this.begin = new Float64Array(bars);
    this.end = new Float64Array(bars);
    this.state = new Uint8Array(bars);
    this.cut = new Uint8Array(bars);
    this.what = Uint32Array.from(what);
    this.by = Uint32Array.from(by);
    this.run = new Float64Array(bars + 1);
    this.wanted = new Float64Array(bars + 1);
    this.first = Math.min(...this.nodes.map(node => node.started), Infinity);
    this.last = 1;
    let at = 0;
    this.rows.forEach((row, index) => {
      const node = this.nodes[row.node], scale = 1e9 / node.tps, start = node.started - this.first;
      row.index = index;
      row.from = at;
      let ticks = 0;
      for (let i = 0; i < row.bars; i++, at++) {
        ticks += gap[at];
        this.begin[at] = start + ticks * scale;
        ticks += length[at];
        this.end[at] = start + ticks * scale;
        this.state[at] = state[at] & 15;
        this.cut[at] = state[at] & (CUT_BEGIN | CUT_END);
        const size = this.end[at] - this.begin[at];
        this.run[at + 1] = this.run[at] + (this.state[at] === RUNNING ? size : 0);
        this.wanted[at + 1] = this.wanted[at] + (this.state[at] === READY ? size : 0);
      }
      row.to = at;
    });
    for (const node of this.nodes) this.last = Math.max(this.last, this.time(node, node.end));
  }

  /** Returns a time of a node on the clock of the page: nanoseconds since its first event. */
  time(node, ticks) { return node.started - this.first + ticks * 1e9 / node.tps; }

  async readFlows() {
    const [from, after, fromRow, toRow, kind] = [await column("flow-at"), await column("flow-after"),
      await column("flow-from"), await column("flow-to"), await column("flow-kind")];
    this.flows = {count: from.length, from, to: new Float64Array(from.length), fromRow, toRow, kind,
      reach: new Float64Array(from.length)};
    let at = 0, reach = -Infinity;
    for (let i = 0; i < from.length; i++) {
      at += from[i];
      from[i] = at;
      this.flows.to[i] = at + after[i];
      this.flows.reach[i] = reach = Math.max(reach, this.flows.to[i]);
    }
  }

  async readMarks() {
    const [gap, kind, value] = [await column("mark-gap"), await column("mark-kind"), await column("mark-value")];
    this.markAt = new Float64Array(gap.length);
    this.markKind = kind;
    this.markValue = value;
    let at = 0;
    for (const row of this.rows) {
      row.markFrom = at;
      for (let i = 0, ticks = 0; i < row.marks; i++, at++) {
        ticks += gap[at];
        this.markAt[at] = this.time(this.nodes[row.node], ticks);
      }
      row.markTo = at;
    }
    const [lostGap, lostTotal] = [await column("lost-gap"), await column("lost-total")];
    let next = 0;
    for (const node of this.nodes) {
      node.losses = [];
      for (let i = 0, ticks = 0; i < node.overflows; i++, next++) {
        ticks += lostGap[next];
        node.losses.push({at: this.time(node, ticks), total: lostTotal[next]});
      }
    }
  }

  /** Makes the course of the ready queue of each node out of the bars that are ready. */
  readDepths() {
    this.nodes.forEach((node, index) => {
      const begins = [], ends = [];
      for (const row of this.rows) {
        if (row.node !== index) continue;
        for (let i = row.from; i < row.to; i++) {
          if (this.state[i] === READY) { begins.push(this.begin[i]); ends.push(this.end[i]); }
        }
      }
      const up = Float64Array.from(begins).sort(), down = Float64Array.from(ends).sort();
      const at = new Float64Array(2 * up.length), depth = new Uint32Array(2 * up.length);
      const area = new Float64Array(2 * up.length + 1);
      let most = 0;
      for (let i = 0, u = 0, d = 0, now = 0; i < at.length; i++) {
        if (u < up.length && up[u] < down[d]) { at[i] = up[u++]; now++; } else { at[i] = down[d++]; now--; }
        if (i) area[i] = area[i - 1] + depth[i - 1] * (at[i] - at[i - 1]);
        depth[i] = Math.max(0, now);
        most = Math.max(most, now);
      }
      node.depth = {at, depth, area, most};
    });
  }

  /** Counts the waits for each thing, so that the most frequent ones get colours of their own. */
  countWaits() {
    const counts = new Map();
    for (let i = 0; i < this.what.length; i++) {
      if (this.state[i] === WAITING) counts.set(this.what[i], (counts.get(this.what[i]) || 0) + 1);
    }
    const objects = new Map();
    this.whats.forEach((each, index) => {
      each.count = counts.get(index) || 0;
      objects.set(each.object, (objects.get(each.object) || 0) + each.count);
    });
    this.objects = [...objects].filter(([, count]) => count).sort((one, other) => other[1] - one[1]);
    const places = new Map(this.objects.filter(([name]) => name !== TIMER).map(([name], index) => [name, index]));
    for (const each of this.whats) each.colour = each.object === TIMER ? -1 : places.get(each.object) ?? -1;
  }

  /** Returns the last bar of [from, to) that begins at `t` or before, or from - 1. */
  at(t, from, to, times = this.begin) {
    let low = from - 1, high = to;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle; else high = middle;
    }
    return low;
  }

  /** Returns the time of a state from the beginning of the row until `t`, where `i` is the bar at `t`. */
  until(sums, state, t, i, row) {
    if (i < row.from) return sums[row.from];
    return sums[i] + (this.state[i] === state ? Math.min(t, this.end[i]) - this.begin[i] : 0);
  }

  /** Returns the mean depth of a node's ready queue in a span of time. */
  depthIn(node, t0, t1) {
    const {at, depth, area} = node.depth;
    if (!at.length) return 0;
    const until = t => {
      const i = this.at(t, 0, at.length, at);
      return i < 0 ? 0 : area[i] + depth[i] * (t - at[i]);
    };
    return (until(t1) - until(t0)) / (t1 - t0);
  }

  rowOf(bar) {
    let low = 0, high = this.rows.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.rows[middle].from <= bar) low = middle; else high = middle;
    }
    while (this.rows[low].to <= bar) low++;
    while (this.rows[low].from > bar) low--;
    return this.rows[low];
  }
}
