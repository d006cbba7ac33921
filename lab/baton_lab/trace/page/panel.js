// SPDX-License-Identifier: MIT
// The panel: the chosen bar, or the trace as a whole. Names come out of a program, so they are set as text alone.

class Panel {
  constructor(element, page) {
    this.element = element;
    this.page = page;
  }

  show() {
    const bar = this.page.chart.selected;
    this.element.replaceChildren();
    if (bar < 0) this.showTrace(); else this.showBar(bar);
  }

  add(tag, text, parent = this.element, className = "") {
    const made = document.createElement(tag);
    made.textContent = text;
    if (className) made.className = className;
    parent.append(made);
    return made;
  }

  facts(pairs) {
    const list = this.add("dl", "");
    for (const [name, value] of pairs) {
      if (value === "" || value === undefined) continue;
      this.add("dt", name, list);
      const cell = this.add("dd", "", list);
      if (value instanceof Node) cell.append(value); else cell.textContent = value;
    }
  }

  button(text, action, className = "link") {
    const made = document.createElement("button");
    made.type = "button";
    made.className = className;
    made.textContent = text;
    made.addEventListener("click", action);
    return made;
  }

  showBar(bar) {
    const {model} = this.page, row = model.rowOf(bar), state = model.state[bar];
    const cut = model.cut[bar], what = model.whats[model.what[bar]];
    this.add("h2", row.name);
    const size = span(model.end[bar] - model.begin[bar]);
    this.facts([
      ["state", STATES[state]],
      ["duration", cut ? `${size}, ${this.cutText(cut)}` : size],
      ["from", span(model.begin[bar], this.exact())],
      ["to", span(model.end[bar], this.exact())],
      ["waits for", state === WAITING ? what.object : ""],
      ["at line", state === WAITING ? what.place || "not known" : ""],
      ["in function", state === WAITING ? what.text : ""],
      ["woken by", model.by[bar] ? this.button(this.nameOf(model.by[bar] - 1), () => this.page.goToWaker()) : ""],
      ["defined at", row.place],
      ["node", model.nodes.length > 1 ? model.nodes[row.node].name : ""],
      ["priority", this.latest(row, bar, PRIORITY)],
      ["service state", this.latest(row, bar, PRIORITY + 1)],
    ]);
    const buttons = this.add("p", "", this.element, "buttons");
    buttons.append(this.button("‹ before", () => this.page.step(-1), ""), this.button("after ›", () => this.page.step(1), ""),
      this.button("fill the view", () => this.page.fit(), ""), this.button("close", () => this.page.choose(-1), ""));
    this.showRow(row);
  }

  cutText(cut) {
    return cut === (CUT_BEGIN | CUT_END) ? "both ends not seen" : cut === CUT_BEGIN ? "its beginning not seen"
      : "its end not seen";
  }

  exact() {
    const {t0, t1} = this.page.chart.view;
    return Math.max(1, 10 ** Math.floor(Math.log10((t1 - t0) / 2000)));
  }

  nameOf(index) {
    const {model} = this.page, row = model.rows[index];
    return model.nodes.length > 1 ? `${row.name} on ${model.nodes[row.node].name}` : row.name;
  }

  latest(row, bar, kind) {
    const model = this.page.model;
    for (let i = model.at(model.begin[bar], row.markFrom, row.markTo, model.markAt); i >= row.markFrom; i--) {
      if (model.markKind[i] === kind) return String(model.markValue[i]);
    }
    return "";
  }

  showRow(row) {
    const {model} = this.page, f = row.figures, node = model.nodes[row.node], ns = ticks => span(ticks * 1e9 / node.tps);
    this.add("h3", `${row.role || "task"} as a whole`);
    const longest = () => this.page.goTo(row, model.time(node, f.longest_at));
    this.facts([
      ["steps", f.steps.toLocaleString("en")],
      ["ran", f.steps ? `${ns(f.run)}, ${(100 * f.run / Math.max(1, node.end)).toFixed(1)} %` : ""],
      ["longest step", f.steps ? this.button(ns(f.longest), longest) : ""],
      ["waits", f.waits.toLocaleString("en")],
      ["waited", f.waits ? `${ns(f.waited)}, at most ${ns(f.longest_wait)}` : ""],
      ["ready, at most", f.steps ? ns(f.longest_ready) : ""],
    ]);
  }

  showTrace() {
    const {model} = this.page;
    this.add("h2", "The trace");
    this.facts([
      ["from", model.source],
      ["events", model.events.toLocaleString("en")],
      ["lost", model.lost ? `${model.lost.toLocaleString("en")} events: red lines` : "none"],
      ["time", span(model.last)],
      ["rows", `${model.rows.length} of ${model.nodes.length} node${model.nodes.length > 1 ? "s" : ""}`],
    ]);
    this.showLongest();
    this.showLegend();
  }

  showLongest() {
    const {model} = this.page;
    const ns = row => row.figures.longest * 1e9 / model.nodes[row.node].tps;
    const rows = model.rows.filter(row => row.figures.steps && row.role !== "interrupt");
    if (!rows.length) return;
    this.add("h3", "Longest steps");
    const list = this.add("ol", "", this.element, "plain");
    for (const row of rows.sort((one, other) => ns(other) - ns(one)).slice(0, 6)) {
      const item = this.add("li", "", list);
      item.append(this.button(this.nameOf(row.index), () => this.page.goTo(row, model.time(model.nodes[row.node], row.figures.longest_at))));
      this.add("span", span(ns(row)), item, "figure");
    }
  }

  showLegend() {
    const paint = colours(), {model} = this.page;
    this.add("h3", "Colours");
    const list = this.add("ul", "", this.element, "plain");
    const entry = (colour, text, count) => {
      const item = this.add("li", "", list);
      this.add("span", "", item, "swatch").style.background = colour;
      this.add("span", text, item, "name");
      if (count) this.add("span", count.toLocaleString("en"), item, "figure");
    };
    entry(paint.run, "runs");
    entry(paint.ready, "is ready, and does not run");
    if (model.rows.some(row => row.role === "interrupt")) entry(paint.interrupt, "interrupt");
    if (model.rows.some(row => row.role === "loop")) entry(paint.idle, "nothing is ready");
    this.add("h3", "Waits for");
    const waits = this.add("ul", "", this.element, "plain");
    const all = model.objects.slice(0, 14);
    for (const [name, count] of all) {
      const item = this.add("li", "", waits);
      const index = model.whats.findIndex(each => each.object === name);
      this.add("span", "", item, "swatch").style.background = this.page.chart.waitColour(index);
      item.append(this.button(name, () => this.page.search.seek(name)));
      this.add("span", count.toLocaleString("en"), item, "figure");
    }
    if (model.objects.length > all.length) this.add("p", `and ${model.objects.length - all.length} more; search for one`);
  }
}
