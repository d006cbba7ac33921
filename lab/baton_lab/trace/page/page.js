// SPDX-License-Identifier: MIT
// The page: the view, the chosen bar, and the ways between bars.

const by = id => document.getElementById(id);

class Page {
  constructor(model) {
    this.model = model;
    this.chart = new Chart(by("chart"), model);
    this.minimap = new Minimap(by("minimap"), this.chart);
    this.panel = new Panel(by("sheet"), this);
    this.search = new Search(by("search"), by("hits"), this);
    this.frame = 0;
    this.scroller = by("scroller");
    new ResizeObserver(() => this.resize()).observe(this.scroller);
    darkness.addEventListener("change", () => { this.chart.colours = colours(); this.panel.show(); this.redraw(); });
    this.resize();
    this.panel.show();
  }

  resize() {
    this.chart.resize(this.scroller.clientWidth, this.scroller.clientHeight);
    this.minimap.resize(by("minimap").clientWidth);
    this.stretch();
    this.drawNow();  // a canvas of another size is empty until then
  }

  stretch() { by("tall").style.height = `${Math.max(0, this.chart.height - this.scroller.clientHeight)}px`; }

  redraw() {
    if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.drawNow(); });
  }

  drawNow() {
    this.chart.draw(this.scroller.scrollTop);
    this.minimap.draw();
    by("crowded").hidden = !this.chart.crowded;
  }

  say(text) { by("status").textContent = text; }

  /** Shows a span of time, within the trace, and not less than 10 ns. */
  look(t0, t1) {
    const most = this.model.last, size = Math.min(most, Math.max(10, t1 - t0));
    const begin = Math.max(0, Math.min(most - size, (t0 + t1 - size) / 2));
    this.chart.view = {t0: begin, t1: begin + size};
    this.redraw();
  }

  zoom(factor, around) {
    const {t0, t1} = this.chart.view, at = around ?? (t0 + t1) / 2;
    const size = Math.min(this.model.last, Math.max(10, (t1 - t0) * factor)), share = (at - t0) / (t1 - t0);
    this.look(at - size * share, at + size * (1 - share));
  }

  pan(share) {
    const {t0, t1} = this.chart.view, by = (t1 - t0) * share;
    this.look(t0 + by, t1 + by);
  }

  whole() { this.look(0, this.model.last); }

  choose(bar) {
    this.chart.selected = bar;
    this.panel.show();
    if (bar >= 0) this.say(this.words(bar));
    this.redraw();
  }

  /** Says of a bar in a line what its frame in the chart shows. */
  words(bar) {
    const {model} = this, row = model.rowOf(bar), size = span(model.end[bar] - model.begin[bar]);
    const state = model.state[bar] === WAITING ? `waits for ${this.chart.waitText(bar)}` : STATES[model.state[bar]];
    return `${row.name}: ${state}, ${size} from ${span(model.begin[bar])}`;
  }

  /** Chooses a bar and moves the view so that it is seen. */
  reveal(bar) {
    const {model, chart} = this, row = model.rowOf(bar), {t0, t1} = chart.view;
    const begin = model.begin[bar], size = model.end[bar] - begin, shown = t1 - t0;
    if (size > shown || size < shown / 200) this.look(begin - Math.max(size, 10) * 2, begin + Math.max(size, 10) * 3);
    else if (begin < t0 || model.end[bar] > t1) this.look(begin + size / 2 - shown / 2, begin + size / 2 + shown / 2);
    const node = model.nodes[row.node];
    if (node.folded) this.fold(node);
    this.scrollTo(row);
    this.choose(bar);
  }

  scrollTo(row) {
    const y = this.chart.top.get(row.index), top = this.scroller.scrollTop, shown = this.scroller.clientHeight;
    if (y < top + AXIS + ROW) this.scroller.scrollTop = y - AXIS - 2 * ROW;
    else if (y + ROW > top + shown) this.scroller.scrollTop = y - shown + 3 * ROW;
  }

  /** Chooses the bar of a row at a time, or at the middle of the view. */
  goTo(row, time) {
    const {t0, t1} = this.chart.view, at = time ?? (t0 + t1) / 2;
    if (!row.bars) { this.scrollTo(row); this.say(`${row.name} has no bars`); return; }
    this.reveal(Math.max(row.from, this.model.at(at, row.from, row.to)));
  }

  step(way) {
    const bar = this.chart.selected, row = bar >= 0 ? this.model.rowOf(bar) : null;
    if (row && bar + way >= row.from && bar + way < row.to) this.reveal(bar + way);
  }

  goToWaker() {
    const bar = this.chart.selected, {model} = this;
    if (bar < 0 || !model.by[bar]) return;
    const at = model.state[bar] === WAITING ? model.end[bar] : model.begin[this.chart.wakeOf(bar)];
    this.goTo(model.rows[model.by[bar] - 1], at);
  }

  fit() {
    const bar = this.chart.selected;
    if (bar < 0) return;
    const begin = this.model.begin[bar], size = Math.max(4, this.model.end[bar] - begin);
    this.look(begin - size / 10, begin + size * 1.1);
  }

  neighbour(way) {
    const {chart, model} = this;
    if (chart.selected < 0) return;
    const rows = chart.lines.filter(line => line.kind === "row" && line.thing.bars).map(line => line.thing);
    const next = rows[rows.indexOf(model.rowOf(chart.selected)) + way];
    if (next) this.goTo(next, (model.begin[chart.selected] + model.end[chart.selected]) / 2);
  }

  fold(node) {
    node.folded = !node.folded;
    this.chart.layOut();
    this.stretch();
    this.redraw();
  }

  /** Returns the bar at a point of the chart; where many share the point, the longest step among them. */
  barAt(x, y) {
    const line = this.chart.lines.find(each => y >= each.y && y < each.y + each.height);
    if (!line || line.kind !== "row" || x < this.chart.label) return -1;
    const {model, chart} = this, row = line.thing, t0 = chart.t(x - 1), t1 = chart.t(x + 1), exact = chart.t(x);
    const here = model.at(exact, row.from, row.to), last = model.at(t1, row.from, row.to);
    let best = here >= row.from && exact <= model.end[here] ? here : -1, longest = 0;
    if (best >= 0 && model.end[best] - model.begin[best] > (t1 - t0) * 2) return best;
    for (let i = Math.max(row.from, last - 4000); i <= last; i++) {
      const size = model.end[i] - model.begin[i];
      if (model.end[i] >= t0 && model.state[i] === RUNNING && size >= longest) { best = i; longest = size; }
    }
    return best;
  }
}
