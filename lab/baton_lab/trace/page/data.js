// SPDX-License-Identifier: MIT
// The columns of the page: base64, deflate, planes of bytes; see columns.py.

/** Returns the numbers of the column with this name. */
async function column(name) {
  const element = document.getElementById(`column-${name}`);
  const width = Number(element.dataset.width), count = Number(element.dataset.count);
  const text = atob(element.textContent.trim());
  element.remove();
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const raw = new Uint8Array(await new Response(stream).arrayBuffer());
  if (raw.length !== width * count) throw new Error(`the column ${name} is broken`);
  const numbers = new Float64Array(count);
  for (let plane = 0, weight = 1; plane < width; plane++, weight *= 256) {
    const from = plane * count;
    for (let i = 0; i < count; i++) numbers[i] += raw[from + i] * weight;
  }
  return numbers;
}

/** Returns the description of the trace: nodes, rows, and the things that are waited for. */
function described() {
  return JSON.parse(document.getElementById("trace").textContent);
}

const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

/** Words a duration in nanoseconds with four digits, and as many as tell it from `step` next to it. */
function span(ns, step = 0) {
  const size = Math.abs(ns);
  const [unit, name] = UNITS.find(([each]) => size >= each) || UNITS[3];
  const digits = step ? Math.max(0, Math.min(9, Math.ceil(Math.log10(unit / step) - 1e-9)))
                      : Math.max(0, 3 - Math.floor(Math.log10(Math.max(size / unit, 1))));
  const text = (ns / unit).toFixed(unit === 1 ? 0 : digits);
  return `${step || !text.includes(".") ? text : text.replace(/\.?0+$/, "")} ${name}`;
}
