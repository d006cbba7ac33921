// SPDX-License-Identifier: MIT
// Two measurements of the page that is open: texts without contrast to their ground, and what is wider than the window.
// The contrast is that of WCAG 2.1, 1.4.3: 4.5, and 3 for large texts.

const looks = (() => {
  const dot = Object.assign(document.createElement("canvas"), {width: 1, height: 1});
  const context = dot.getContext("2d", {willReadFrequently: true});
  const NO_TEXT = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT"]);
  const LARGE = 24, LARGE_AND_BOLD = 18.66;

  /** Returns red, green, blue and the share that covers, of any colour that CSS knows. */
  const rgba = text => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, cover] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, cover / 255];
  };

  /** Returns a colour laid over another. */
  const over = (upper, lower) => {
    const cover = upper[3] + lower[3] * (1 - upper[3]);
    if (!cover) return [0, 0, 0, 0];
    const mix = i => (upper[i] * upper[3] + lower[i] * lower[3] * (1 - upper[3])) / cover;
    return [mix(0), mix(1), mix(2), cover];
  };

  /** Returns the colour behind the texts of an element, by the backgrounds of it and of those around it. */
  const ground = element => {
    let seen = [0, 0, 0, 0];
    for (let each = element; each && seen[3] < 1; each = each.parentElement) {
      seen = over(seen, rgba(getComputedStyle(each).backgroundColor));
    }
    return over(seen, rgba("Canvas"));
  };

  const luminance = colour => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
    const part = colour[i] / 255;
    return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0);

  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };

  const isLarge = style => {
    const size = parseFloat(style.fontSize);
    return size >= LARGE || (size >= LARGE_AND_BOLD && Number(style.fontWeight) >= 700);
  };

  const named = (element, text) => `${element.tagName.toLowerCase()} ${JSON.stringify(text.trim().slice(0, 40))}`;

  /** Describes a text whose contrast is too low; nothing if it has enough. */
  const fault = (element, text, style) => {
    const behind = ground(element), colour = element.closest("svg") ? style.fill : style.color;
    const found = contrast(over(rgba(colour), behind), behind);
    return found < (isLarge(style) ? 3 : 4.5) ? `${named(element, text)}: contrast ${found.toFixed(2)}` : "";
  };

  const isSeen = (node, element) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect().width > 0
      && element.checkVisibility({opacityProperty: true, visibilityProperty: true});
  };

  const pale = () => {
    const found = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode, element = node.parentElement;
      if (!node.data.trim() || NO_TEXT.has(element.tagName) || !isSeen(node, element)) continue;
      found.add(fault(element, node.data, getComputedStyle(element)));
    }
    for (const element of document.querySelectorAll("input[placeholder]")) {
      if (element.checkVisibility()) {
        found.add(fault(element, element.placeholder, getComputedStyle(element, "::placeholder")));
      }
    }
    found.delete("");
    return [...found];
  };

  /** Tells whether an element stands in another that can be moved sideways. */
  const isMoved = element => {
    for (let each = element; each && each !== document.body; each = each.parentElement) {
      if (["auto", "scroll"].includes(getComputedStyle(each).overflowX)) return true;
    }
    return false;
  };

  const wide = () => {
    const root = document.documentElement, found = [];
    if (root.scrollWidth > root.clientWidth) found.push(`the page takes ${root.scrollWidth} of ${root.clientWidth}`);
    for (const element of document.querySelectorAll("h1, h2, h3, h4, p, li, dt, dd, a, code, th, td, pre")) {
      const box = element.getBoundingClientRect();
      if (!box.width || !element.checkVisibility({visibilityProperty: true})) continue;
      if (box.right > root.clientWidth + 0.5 && !isMoved(element)) found.push(named(element, element.textContent));
    }
    return found;
  };

  return {pale, wide, isDark: () => luminance(ground(document.body)) < 0.2};
})();
