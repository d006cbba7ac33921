// SPDX-License-Identifier: MIT
// The colours of both schemes. Waits have those of Okabe and Ito, which people who see few colours tell apart.

const TIMER = "a timer";
const LIGHT = {
  ground: "#ffffff", node: "#eef0f6", rule: "#e6e8ef", text: "#1b1f2a", quiet: "#525a6b", axis: "#f7f8fb",
  run: "#3949ab", interrupt: "#b3261e", ready: "#f2b134", idle: "#e0e4ee", timer: "#a9b0c0", onBar: "#ffffff",
  onReady: "#1b1f2a", choice: "#111827", wake: "#6b7280", sent: "#00796b", call: "#8e24aa", lost: "#c62828",
  window: "#3949ab",
  waits: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c6d1f", "#7e57c2", "#5d4037", "#00838f"],
};
const DARK = {
  ground: "#14161c", node: "#20242e", rule: "#252a35", text: "#e8eaf0", quiet: "#a4acbd", axis: "#1a1d25",
  run: "#8c9eff", interrupt: "#ff8a80", ready: "#c58f1f", idle: "#2c3240", timer: "#566074", onBar: "#10131a",
  onReady: "#10131a", choice: "#ffffff", wake: "#9aa3b5", sent: "#4db6ac", call: "#ce93d8", lost: "#ff6b6b",
  window: "#8c9eff",
  waits: ["#4aa3df", "#ff8f4d", "#35c79a", "#e39ac2", "#8fd0f5", "#f0c04a", "#c9a95a", "#b39ddb", "#bc9588", "#4dd0e1"],
};
const darkness = window.matchMedia("(prefers-color-scheme: dark)");

/** Returns the colours of the scheme that the reader's system asks for. */
function colours() { return darkness.matches ? DARK : LIGHT; }

const pixelOf = new Map();

/** Returns a colour as four bytes of an image, in the order that little-endian machines have. */
function pixel(text) {
  let found = pixelOf.get(text);
  if (found === undefined) {
    const rgb = parseInt(text.slice(1), 16);
    found = (0xff000000 | (rgb & 255) << 16 | rgb & 0xff00 | rgb >> 16) >>> 0;
    pixelOf.set(text, found);
  }
  return found;
}
