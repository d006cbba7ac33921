// SPDX-License-Identifier: MIT
// The whole trace in a strip: the time that all rows together ran, losses, and the part that the chart shows.

class Minimap {
  constructor(canvas, chart) {
    this.canvas = canvas;
    this.chart = chart;
    this.context = canvas.getContext("2d");
  }

  resize(width) {
    const dpr = Math.min(3, window.devicePixelRatio || 1);
    this.width = width;
    this.height = 44;
    this.canvas.width = Math.round(width * dpr);
    this.canvas.height = Math.round(this.height * dpr);
    this.dpr = dpr;
    this.courses = null;
  }

  /** Adds up what each row ran in each point of the width. */
  measure() {
    const model = this.chart.model, step = model.last / this.width, sums = new Float64Array(Math.ceil(this.width));
    for (const row of model.rows) {
      let before = 0, bar = row.from - 1;
      for (let x = 0; x < sums.length && row.bars; x++) {
        const t = (x + 1) * step;
        bar = model.at(t, Math.max(row.from, bar), row.to);
        const now = model.until(model.run, RUNNING, t, bar, row) - model.run[row.from];
        sums[x] += now - before;
        before = now;
      }
    }
    this.most = Math.max(...sums, 1e-9);
    this.courses = sums;
  }

  draw() {
    if (!this.courses) this.measure();
    const context = this.context, paint = colours(), {view, model} = this.chart;
    context.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    context.fillStyle = paint.axis;
    context.fillRect(0, 0, this.width, this.height);
    context.fillStyle = paint.run;
    this.courses.forEach((sum, x) => {
      const height = sum > 0 ? Math.max(1, sum / this.most * (this.height - 8)) : 0;
      context.fillRect(x, this.height - 2 - height, 1, height);
    });
    context.fillStyle = paint.lost;
    for (const node of model.nodes) {
      for (const loss of node.losses) context.fillRect(loss.at / model.last * this.width - 0.5, 0, 1.5, this.height);
    }
    const x0 = view.t0 / model.last * this.width, x1 = view.t1 / model.last * this.width;
    context.fillStyle = darkness.matches ? "rgba(20,22,28,0.6)" : "rgba(255,255,255,0.68)";
    context.fillRect(0, 0, x0, this.height);
    context.fillRect(x1, 0, this.width - x1, this.height);
    context.strokeStyle = paint.window;
    context.lineWidth = 2;
    context.strokeRect(Math.max(1, x0), 1, Math.max(4, Math.min(this.width - 1, x1) - Math.max(1, x0)), this.height - 2);
  }
}
