// SPDX-License-Identifier: MIT
// The search: tasks, things that are waited for, and lines; Enter goes from bar to bar.

const MOST_HITS = 10;

class Search {
  constructor(input, list, page) {
    Object.assign(this, {input, list, page});
    input.addEventListener("input", () => this.look());
    input.addEventListener("keydown", event => this.key(event));
  }

  seek(text) {
    this.input.value = text;
    this.look();
    this.next(1);
  }

  look() {
    const words = this.input.value.trim().toLowerCase(), {model, chart} = this.page;
    this.list.replaceChildren();
    if (!words) {
      chart.found = null;
      this.list.hidden = true;
      this.page.redraw();
      return;
    }
    const has = (...texts) => texts.some(text => text && text.toLowerCase().includes(words));
    const rows = model.rows.filter(row => has(row.name, row.place));
    const whats = model.whats.map((what, index) => ({...what, index}))
      .filter(what => what.count && has(what.object, what.place, what.text));
    chart.found = {rows: new Set(rows.map(row => row.index)), whats: new Set(whats.map(what => what.index))};
    for (const row of rows.slice(0, MOST_HITS)) this.hit(row.name, row.place || row.role, () => this.page.goTo(row));
    for (const what of whats.slice(0, MOST_HITS)) {
      const text = what.place ? `${what.object} at ${what.place}` : what.object;
      this.hit(`waits for ${text}`, `${what.count.toLocaleString("en")} times`, () => this.next(1, what.index));
    }
    if (!rows.length && !whats.length) this.hit("nothing has this name", "", () => {});
    this.list.hidden = false;
    this.page.redraw();
  }

  hit(name, more, action) {
    const item = document.createElement("button");
    item.type = "button";
    item.setAttribute("role", "option");
    const [left, right] = [document.createElement("span"), document.createElement("small")];
    left.textContent = name;
    right.textContent = more;
    item.append(left, right);
    item.addEventListener("click", () => { this.list.hidden = true; action(); });
    this.list.append(item);
  }

  key(event) {
    if (event.key === "Enter") {
      this.list.hidden = true;
      this.next(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.look();
      this.input.blur();
    } else if (event.key === "ArrowDown" && this.list.firstChild) {
      this.list.firstChild.focus();
    } else return;
    event.preventDefault();
  }

  /** Chooses the next bar, or the one before, that waits for what was found; of a task that was found, its steps. */
  next(way, only) {
    const {model, chart} = this.page, found = chart.found;
    if (!found) return;
    const from = chart.selected >= 0 ? model.begin[chart.selected] : way > 0 ? chart.view.t0 : chart.view.t1;
    let best = -1;
    const fits = (row, i) => model.state[i] === WAITING
      ? only === undefined ? found.whats.has(model.what[i]) : model.what[i] === only
      : only === undefined && !found.whats.size && model.state[i] === RUNNING && found.rows.has(row.index);
    for (const row of model.rows) {
      let i = model.at(from, row.from, row.to) + (way > 0 ? 1 : 0);
      if (way < 0) while (i >= row.from && model.begin[i] >= from) i--;
      const beyond = () => best >= 0 && (way > 0 ? model.begin[i] >= model.begin[best] : model.begin[i] <= model.begin[best]);
      while (i >= row.from && i < row.to && !beyond() && !fits(row, i)) i += way;
      if (i >= row.from && i < row.to && !beyond()) best = i;
    }
    if (best >= 0) this.page.reveal(best); else this.page.say(way > 0 ? "no further one" : "no earlier one");
  }
}
