// SPDX-License-Identifier: MIT
// The chart. Bars go into a buffer of pixels; lines of text and arrows are drawn above it.

const AXIS = 26, ROW = 26, NODE = 30, DEPTH = 30, BODY = 15, BAND = 4, TOP = 3;

class Chart {
  constructor(canvas, model) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", {alpha: false});
    this.model = model;
    this.arrows = true;
    this.colours = colours();
    this.selected = -1;
    this.view = {t0: 0, t1: model.last};
    this.found = null;
    this.layOut();
  }

  /** Lists the lines from above: a node, its ready queue, its rows. */
  layOut() {
    this.lines = [];
    this.top = new Map();
    let y = AXIS;
    const add = (kind, height, thing) => {
      this.lines.push({kind, y, height, thing});
      if (kind === "row") this.top.set(thing.index, y);
      y += height;
    };
    this.model.nodes.forEach((node, index) => {
      add("node", NODE, node);
      if (node.folded) return;
      if (node.depth.most) add("depth", DEPTH, node);
      for (const row of this.model.rows) if (row.node === index) add("row", ROW, row);
    });
    this.height = y + 8;
  }

  resize(width, height) {
    this.dpr = Math.min(3, window.devicePixelRatio || 1);
    this.width = width;
    this.shown = height;
    this.label = Math.round(Math.max(92, Math.min(210, width * 0.2)));
    this.canvas.width = Math.round(width * this.dpr);
    this.canvas.height = Math.round(height * this.dpr);
    this.pixelsWide = this.canvas.width - Math.round(this.label * this.dpr);
    this.pixelsHigh = this.canvas.height;
    this.image = new ImageData(Math.max(1, this.pixelsWide), Math.max(1, this.pixelsHigh));
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  /** The number of arrows that still let the bars be seen. */
  get mostArrows() { return Math.max(30, this.plot / 9); }
  get plot() { return this.width - this.label; }
  x(t) { return this.label + (t - this.view.t0) / (this.view.t1 - this.view.t0) * this.plot; }
  t(x) { return this.view.t0 + (x - this.label) / this.plot * (this.view.t1 - this.view.t0); }

  draw(scroll) {
    this.scroll = scroll;
    this.colours = colours();
    this.texts = [];
    this.wakes = [];
    this.coarse = false;
    const ground = pixel(this.colours.ground);
    this.pixels.fill(ground);
    for (const t of this.ticks().times) this.fill(this.x(t) - this.label, AXIS, 1, this.shown, pixel(this.colours.rule));
    const seen = this.lines.filter(line => line.y + line.height > scroll + AXIS && line.y < scroll + this.shown);
    for (const line of seen) this.drawLine(line, line.y - scroll);
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.fillStyle = this.colours.ground;
    this.context.fillRect(0, 0, this.canvas.width - this.pixelsWide, this.canvas.height);
    this.context.putImageData(this.image, this.canvas.width - this.pixelsWide, 0);
    this.context.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    this.context.textBaseline = "middle";
    for (const text of this.texts) this.write(text);
    this.drawLosses(seen);
    this.drawMarks(seen);
    this.drawArrows();
    this.drawSelected();
    for (const line of seen) this.drawLabel(line, line.y - scroll);
    this.drawAxis();
  }

  /** Fills a rectangle of the buffer, in points from the left of the plot. */
  fill(x, y, width, height, colour) {
    const d = this.dpr, across = this.pixelsWide;
    const x0 = Math.max(0, Math.round(x * d)), x1 = Math.min(across, Math.max(Math.round((x + width) * d), x0 + 1));
    const y0 = Math.max(Math.round(AXIS * d), Math.round(y * d));
    const y1 = Math.min(this.pixelsHigh, Math.round((y + height) * d));
    const pixels = this.pixels;
    for (let row = y0; row < y1; row++) {
      const base = row * across;
      if (x1 - x0 > 12) pixels.fill(colour, base + x0, base + x1);
      else for (let i = x0; i < x1; i++) pixels[base + i] = colour;
    }
  }

  drawLine(line, y) {
    const paint = this.colours;
    if (line.kind === "node") this.fill(0, y, this.plot, line.height, pixel(paint.node));
    else if (line.kind === "depth") this.drawDepth(line.thing, y);
    else this.drawRow(line.thing, y);
    this.fill(0, y + line.height - 1, this.plot, 1, pixel(paint.rule));
  }

  drawDepth(node, y) {
    const most = node.depth.most, room = DEPTH - 6, {t0, t1} = this.view, step = (t1 - t0) / this.plot;
    const colour = pixel(this.colours.ready);
    for (let x = 0; x < this.plot; x++) {
      const mean = this.model.depthIn(node, t0 + x * step, t0 + (x + 1) * step);
      if (mean > 0) {
        const height = Math.max(1, mean / most * room);
        this.fill(x, y + 3 + room - height, 1, height, colour);
      }
    }
  }

  drawRow(row, y) {
    const {t0, t1} = this.view, model = this.model;
    const last = model.at(t1, row.from, row.to);
    let first = model.at(t0, row.from, row.to);
    if (first < row.from || model.end[first] < t0) first++;
    if (last < first) return;
    if (last - first < this.plot / 3) this.drawBars(row, y, first, last);
    else this.drawShares(row, y, Math.max(first, row.from));
  }

  drawBars(row, y, first, last) {
    const model = this.model;
    for (let i = first; i <= last; i++) {
      const x = Math.max(-2, this.x(model.begin[i]) - this.label);
      const end = Math.min(this.plot + 2, this.x(model.end[i]) - this.label);
      this.drawBar(row, i, x, y, Math.max(1, end - x));
      if (model.state[i] === READY && model.by[i] && model.begin[i] >= this.view.t0) this.wakes.push(i);
    }
  }

  drawBar(row, i, x, y, width) {
    const paint = this.colours, state = this.model.state[i];
    if (state === WAITING) {
      const colour = this.waitColour(this.model.what[i]);
      this.fill(x, y + TOP + BODY, width, BAND, pixel(colour));
      if (width > 60) this.texts.push({x, y: y + TOP + 8, width, text: this.waitText(i), colour: paint.quiet});
      return;
    }
    const colour = state === READY ? paint.ready : state === IDLE ? paint.idle
      : row.role === "interrupt" ? paint.interrupt : paint.run;
    this.fill(x, y + TOP, width > 3 ? width - 0.5 : width, state === IDLE ? BODY : BODY + BAND, pixel(colour));
    if (width > 46) {
      const text = state === READY ? "ready" : state === IDLE ? "idle" : span(this.model.end[i] - this.model.begin[i]);
      this.texts.push({x, y: y + TOP + 10, width, text, colour: state === IDLE ? paint.quiet : paint.onBar});
    }
  }

  /** Draws a row with more bars than room: of each point of the width the share that ran, and that was ready. */
  drawShares(row, y, first) {
    const model = this.model, {t0, t1} = this.view, step = (t1 - t0) / this.plot, paint = this.colours;
    const run = pixel(row.role === "interrupt" ? paint.interrupt : paint.run), ready = pixel(paint.ready);
    let bar = first - 1;
    const advance = t => {
      let stride = 1;
      while (bar + stride < row.to && model.begin[bar + stride] <= t) { bar += stride; stride *= 2; }
      bar = model.at(t, Math.max(bar, row.from), Math.min(row.to, bar + stride + 1));
    };
    advance(t0);
    let ran = model.until(model.run, RUNNING, t0, bar, row), wanted = model.until(model.wanted, READY, t0, bar, row);
    let since = 0, was = -1;
    for (let x = 0; x <= this.plot; x++) {
      const t = t0 + (x + 1) * step;
      advance(t - step / 2);
      const now = x < this.plot && bar >= row.from && t - step / 2 <= model.end[bar] ? this.bandColour(bar) : -1;
      if (now !== was) {
        if (was !== -1) this.fill(since, y + TOP + BODY, x - since, BAND, was);
        since = x;
        was = now;
      }
      advance(t);
      const ranNow = model.until(model.run, RUNNING, t, bar, row);
      const wantedNow = model.until(model.wanted, READY, t, bar, row);
      const high = this.portion(ranNow - ran, step), more = this.portion(wantedNow - wanted, step);
      if (high) this.fill(x, y + TOP + BODY - high, 1, high, run);
      if (more) this.fill(x, y + TOP + Math.max(0, BODY - high - more), 1, Math.min(more, BODY - high), ready);
      ran = ranNow;
      wanted = wantedNow;
    }
    this.coarse = true;
  }

  /** Returns the colour of the thin line of a bar, or -1 for a bar without one. */
  bandColour(bar) {
    const state = this.model.state[bar];
    if (state === WAITING) return pixel(this.waitColour(this.model.what[bar]));
    return state === IDLE ? pixel(this.colours.idle) : -1;
  }

  portion(time, step) { return time > 0 ? Math.max(1, Math.round(Math.min(1, time / step) * BODY)) : 0; }
  waitColour(what) {
    const index = this.model.whats[what].colour;
    return index < 0 ? this.colours.timer : this.colours.waits[index % this.colours.waits.length];
  }
  waitText(i) {
    const what = this.model.whats[this.model.what[i]];
    const place = what.place.slice(what.place.lastIndexOf("/") + 1);  // the panel has the whole path
    return place ? `${what.object} · ${place}` : what.object;
  }
}
