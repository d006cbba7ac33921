// SPDX-License-Identifier: MIT
// What stands above the bars: names, the axis, marks, losses, arrows, and the frame of the chosen bar.

const FONT = '12px system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif';
const TIMER_ARMED = 8, TIMER_FIRED = 9, SENT = 10, CALL = 12, PRIORITY = 14;

/** Returns as much of a text as has room, with an ellipsis where it is cut. */
function fitted(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let low = 0, high = text.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle; else high = middle;
  }
  return low ? `${text.slice(0, low)}…` : "";
}

/** Returns the first of some texts that has room whole, or as much of the last as has. */
function roomiest(context, texts, room) {
  return texts.find(text => context.measureText(text).width <= room) || fitted(context, texts.at(-1), room);
}

Object.assign(Chart.prototype, {
  write({x, y, width, text, colour}) {
    if (y < AXIS - 4) return;
    const left = this.label + Math.max(0, x) + 5, room = Math.min(this.plot, x + width) - Math.max(0, x) - 10;
    this.context.font = FONT;
    this.context.fillStyle = text === "ready" ? this.colours.onReady : colour;
    const shown = room > 24 ? fitted(this.context, text, room) : "";
    if (shown) this.context.fillText(shown, left, y);
  },

  drawLabel(line, y) {
    const context = this.context, paint = this.colours, row = line.thing, isRow = line.kind === "row";
    context.fillStyle = line.kind === "node" ? paint.node : paint.ground;
    context.fillRect(0, y, this.label, line.height);
    context.fillStyle = paint.rule;
    context.fillRect(0, y + line.height - 1, this.label, 1);
    context.fillRect(this.label - 1, y, 1, line.height);
    const chosen = isRow && this.selected >= row.from && this.selected < row.to;
    context.font = line.kind === "node" || chosen ? `600 ${FONT}` : FONT;
    context.fillStyle = isRow && this.found && !this.found.rows.has(row.index) ? paint.quiet : paint.text;
    if (line.kind === "depth") context.fillStyle = paint.quiet;
    const texts = line.kind === "node" ? [`${row.folded ? "▸" : "▾"} ${row.name}`]
      : line.kind === "depth" ? [`ready queue, most ${row.depth.most}`, `ready, ${row.depth.most}`, "ready"]
      : [row.name];
    const room = line.kind === "node" ? this.width - 24 : this.label - 26;
    context.fillText(roomiest(context, texts, room), line.kind === "node" ? 10 : 18, y + line.height / 2);
    if (line.kind === "node") this.drawNodeFacts(row, y + line.height / 2, context.measureText(texts[0]).width + 24);
  },

  drawNodeFacts(node, y, left) {
    const text = node.lost ? `${node.lost.toLocaleString("en")} events lost` : "";
    this.context.font = FONT;
    this.context.fillStyle = this.colours.lost;
    if (text) this.context.fillText(text, Math.max(left, this.label + 6), y);
  },

  /** Returns the times of the grid, and the step between them. */
  ticks() {
    const {t0, t1} = this.view, rough = (t1 - t0) / Math.max(1, this.plot / 110);
    const size = 10 ** Math.floor(Math.log10(rough)), times = [];
    const step = size * ([1, 2, 5].find(each => each * size >= rough) || 10);
    for (let i = Math.ceil(t0 / step); i * step <= t1; i++) times.push(i * step);
    return {step, times};
  },

  drawAxis() {
    const context = this.context, paint = this.colours, {t0, t1} = this.view;
    context.fillStyle = paint.axis;
    context.fillRect(0, 0, this.width, AXIS);
    context.fillStyle = paint.rule;
    context.fillRect(0, AXIS - 1, this.width, 1);
    context.font = FONT;
    const {step, times} = this.ticks();
    for (const t of times) {
      const x = this.x(t);
      context.fillStyle = paint.rule;
      context.fillRect(x, 0, 1, AXIS);
      context.fillStyle = paint.quiet;
      if (x < this.width - 60) context.fillText(span(t, t ? step : 0), x + 4, AXIS / 2);
    }
    context.fillStyle = paint.axis;
    context.fillRect(0, 0, this.label - 1, AXIS);
    context.fillStyle = paint.quiet;
    context.fillText(roomiest(context, [`view ${span(t1 - t0)}`, span(t1 - t0)], this.label - 16), 10, AXIS / 2);
  },

  drawLosses(seen) {
    const context = this.context, {t0, t1} = this.view;
    context.fillStyle = this.colours.lost;
    for (const line of seen) {
      const node = line.kind === "row" ? this.model.nodes[line.thing.node] : line.thing;
      let drawn = -9;
      for (const loss of node.losses) {
        const x = this.x(loss.at);
        if (loss.at < t0 || loss.at > t1 || x - drawn < 3) continue;
        context.fillRect(x - 1, line.y - this.scroll, 2, line.height);
        drawn = x;
      }
    }
  },

  drawMarks(seen) {
    const model = this.model, {t0, t1} = this.view, context = this.context;
    for (const line of seen) {
      if (line.kind !== "row") continue;
      const row = line.thing, y = line.y - this.scroll + 1;
      const first = model.at(t0, row.markFrom, row.markTo, model.markAt) + 1;
      const last = model.at(t1, row.markFrom, row.markTo, model.markAt);
      if (last - first > this.plot / 40) continue;
      for (let i = first; i <= last; i++) this.drawMark(context, model.markKind[i], this.x(model.markAt[i]), y);
    }
  },

  drawMark(context, kind, x, y) {
    const timer = kind === TIMER_ARMED || kind === TIMER_FIRED;
    context.fillStyle = timer ? this.colours.quiet : this.colours.call;
    context.beginPath();
    context.moveTo(x - 3.5, y);
    context.lineTo(x + 3.5, y);
    context.lineTo(x, y + 5);
    if (kind !== TIMER_ARMED) { context.fill(); return; }
    context.closePath();
    context.strokeStyle = this.colours.quiet;
    context.lineWidth = 1;
    context.stroke();
  },

  middle(index) {
    const y = this.top.get(index);
    return y === undefined ? undefined : y - this.scroll + TOP + 9;
  },

  drawArrows() {
    this.context.save();
    this.context.beginPath();
    this.context.rect(this.label, AXIS, this.plot, this.shown - AXIS);
    this.context.clip();
    this.crowded = this.arrows && (this.coarse || this.wakes.length > this.mostArrows);
    if (this.arrows && this.wakes.length <= this.mostArrows) for (const bar of this.wakes) this.drawWake(bar, 1);
    if (this.arrows) this.drawFlows();
    const bar = this.selected;
    if (bar >= 0 && this.model.by[bar]) this.drawWake(this.wakeOf(bar), 2);
    this.context.restore();
  },

  /** Returns the bar that the wake of a running bar stands in: the one before it. */
  wakeOf(bar) {
    const before = bar - 1, model = this.model;
    const joined = before >= 0 && model.state[bar] === RUNNING && model.state[before] === READY
      && model.end[before] === model.begin[bar];
    return joined ? before : bar;
  },

  drawWake(bar, width) {
    const row = this.model.rowOf(bar), from = this.middle(this.model.by[bar] - 1), to = this.middle(row.index);
    const at = this.model.state[bar] === WAITING ? this.model.end[bar] : this.model.begin[bar];
    if (from !== undefined && to !== undefined) this.arrow(this.x(at), from, this.x(at), to, this.colours.wake, width);
  },

  drawFlows() {
    const flows = this.model.flows, {t0, t1} = this.view;
    const last = this.model.at(t1, 0, flows.count, flows.from);
    const first = this.model.at(t0, 0, flows.count, flows.reach) + 1;
    if (last - first > this.mostArrows) { this.crowded = true; return; }
    for (let i = Math.max(0, first); i <= last; i++) {
      const from = this.middle(flows.fromRow[i]), to = this.middle(flows.toRow[i]);
      if (flows.to[i] < t0 || from === undefined || to === undefined) continue;
      const colour = flows.kind[i] === CALL ? this.colours.call : this.colours.sent;
      this.arrow(this.x(flows.from[i]), from, this.x(flows.to[i]), to, colour, 1.25);
    }
  },

  arrow(x0, y0, x1, y1, colour, width) {
    const context = this.context, bend = Math.min(40, Math.abs(x1 - x0) / 2);
    const angle = x1 - x0 > 2 ? 0 : Math.sign(y1 - y0 || 1) * Math.PI / 2;
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
    context.stroke();
    context.beginPath();
    context.moveTo(x1, y1);
    for (const side of [0.45, -0.45]) context.lineTo(x1 - 7 * Math.cos(angle + side), y1 - 7 * Math.sin(angle + side));
    context.fill();
  },

  drawSelected() {
    if (this.selected < 0) return;
    const row = this.model.rowOf(this.selected), y = this.top.get(row.index);
    if (y === undefined) return;
    const x0 = Math.max(this.label, this.x(this.model.begin[this.selected]));
    const x1 = Math.min(this.width, this.x(this.model.end[this.selected]));
    if (x1 < this.label || x0 > this.width) return;
    this.context.strokeStyle = this.colours.choice;
    this.context.lineWidth = 2;
    this.context.strokeRect(x0 - 1, y - this.scroll + TOP - 1, Math.max(4, x1 - x0 + 2), BODY + BAND + 2);
  },
});
