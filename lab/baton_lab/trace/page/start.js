// SPDX-License-Identifier: MIT
// The start of the page, and a scripted walk through it that takes the time of each frame.

/** Moves the view by a script and returns the milliseconds between frames, and of the drawing of each. */
async function walk(page) {
  const last = page.model.last, deep = Math.max(2000, last / 20000), between = [], drawing = [];
  const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
  const at = (t0, size) => {
    page.chart.view = {t0: Math.max(0, Math.min(last - size, t0)), t1: Math.max(0, Math.min(last - size, t0)) + size};
  };
  let before = await frame();
  const show = async (t0, size) => {
    at(t0, size);
    const begin = performance.now();
    page.drawNow();
    drawing.push(performance.now() - begin);
    const now = await frame();
    between.push(now - before);
    before = now;
  };
  const sizes = step => last * (deep / last) ** step;
  for (let i = 0; i <= 90; i++) await show(last * 0.4 * (i / 90), sizes(i / 90));
  for (let i = 0; i <= 60; i++) await show(last * 0.4 + deep * i * 0.3, deep);
  for (let i = 0; i <= 60; i++) await show(last * 0.4 - last * 0.3 * (i / 60), sizes(0.5));
  for (let i = 0; i <= 90; i++) await show(last * 0.1, sizes(1 - i / 90));
  return {between, drawing};
}

async function begin() {
  const model = await Model.read();
  const page = new Page(model);
  new Input(page);
  by("wait").remove();
  page.drawNow();
  return page;
}

const started = begin();
started.catch(error => { by("wait").textContent = `This browser does not show the trace: ${error.message}`; });
window.batonTrace = {started, walk: async () => walk(await started), span};
