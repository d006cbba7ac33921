// SPDX-License-Identifier: MIT
// Pointer, wheel, touch and keyboard.

class Input {
  constructor(page) {
    this.page = page;
    this.pointers = new Map();
    const canvas = page.chart.canvas;
    canvas.addEventListener("pointerdown", event => this.down(event));
    canvas.addEventListener("pointermove", event => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, event => this.up(event));
    canvas.addEventListener("dblclick", () => page.fit());
    page.scroller.addEventListener("wheel", event => this.wheel(event), {passive: false});
    page.scroller.addEventListener("scroll", () => page.redraw());
    document.addEventListener("keydown", event => this.key(event));
    this.watchMinimap(by("minimap"));
    const action = (id, does) => by(id).addEventListener("click", does);
    action("in", () => page.zoom(0.5));
    action("out", () => page.zoom(2));
    action("whole", () => page.whole());
    action("arrows", () => this.toggleArrows());
    action("keys", () => by("help").showModal());
    document.addEventListener("pointerdown", event => {
      if (!event.target.closest(".find")) by("hits").hidden = true;
    });
  }

  place(event) {
    const box = this.page.chart.canvas.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  }

  down(event) {
    this.page.chart.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.place(event));
    this.moved = 0;
    this.page.scroller.focus({preventScroll: true});
  }

  move(event) {
    const before = this.pointers.get(event.pointerId), now = this.place(event), {page} = this;
    if (!before) {
      const bar = page.barAt(now.x, now.y + page.scroller.scrollTop);
      page.say(bar >= 0 ? page.words(bar) : now.x > page.chart.label ? span(page.chart.t(now.x), page.panel.exact()) : "");
      return;
    }
    this.moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, now);
    else page.pan((before.x - now.x) / page.chart.plot);
    if (event.pointerType === "mouse" && this.pointers.size === 1) page.scroller.scrollTop += before.y - now.y;
    this.pointers.set(event.pointerId, now);
  }

  pinch(id, before, now) {
    const [, other] = [...this.pointers].find(([each]) => each !== id);
    const was = Math.max(20, Math.abs(before.x - other.x)), is = Math.max(20, Math.abs(now.x - other.x));
    this.page.zoom(was / is, this.page.chart.t((now.x + other.x) / 2));
  }

  up(event) {
    const at = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!at || this.moved > 5 || event.type === "pointercancel") return;
    const {page} = this, y = at.y + page.scroller.scrollTop;
    const line = page.chart.lines.find(each => y >= each.y && y < each.y + each.height);
    if (at.y > AXIS && line && line.kind === "node") page.fold(line.thing);
    else if (at.y > AXIS) page.choose(page.barAt(at.x, y));
  }

  wheel(event) {
    const {page} = this, across = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey) page.zoom(1.0018 ** event.deltaY, page.chart.t(this.place(event).x));
    else if (Math.abs(across) > Math.abs(event.shiftKey ? 0 : event.deltaY)) page.pan(across / page.chart.plot);
    else return;
    event.preventDefault();
  }

  watchMinimap(canvas) {
    let held = false;
    const go = event => {
      const box = canvas.getBoundingClientRect(), {t0, t1} = this.page.chart.view;
      const at = (event.clientX - box.left) / box.width * this.page.model.last;
      this.page.look(at - (t1 - t0) / 2, at + (t1 - t0) / 2);
    };
    canvas.addEventListener("pointerdown", event => { held = true; canvas.setPointerCapture(event.pointerId); go(event); });
    canvas.addEventListener("pointermove", event => { if (held) go(event); });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { held = false; });
  }

  toggleArrows() {
    const {chart} = this.page;
    chart.arrows = !chart.arrows;
    by("arrows").setAttribute("aria-pressed", String(chart.arrows));
    this.page.redraw();
  }

  key(event) {
    const target = event.target.tagName, {page} = this;
    if (target === "INPUT" || event.ctrlKey || event.metaKey || event.altKey || by("help").open) return;
    if (target === "BUTTON" && (event.key === "Enter" || event.key === " ")) return;
    const ways = {
      ArrowLeft: () => event.shiftKey ? page.step(-1) : page.pan(-0.15),
      ArrowRight: () => event.shiftKey ? page.step(1) : page.pan(0.15),
      ArrowUp: () => page.neighbour(-1), ArrowDown: () => page.neighbour(1),
      "+": () => page.zoom(0.6), "=": () => page.zoom(0.6), "-": () => page.zoom(1 / 0.6),
      0: () => page.whole(), Home: () => page.whole(), Enter: () => page.fit(), f: () => page.fit(),
      w: () => page.goToWaker(), a: () => this.toggleArrows(), Escape: () => page.choose(-1),
      n: () => page.search.next(1), N: () => page.search.next(-1),
      "/": () => { by("search").focus(); by("search").select(); }, "?": () => by("help").showModal(),
    };
    const does = ways[event.key];
    if (!does || ((event.key === "ArrowUp" || event.key === "ArrowDown") && page.chart.selected < 0)) return;
    does();
    event.preventDefault();
  }
}
