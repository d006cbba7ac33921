# SPDX-License-Identifier: MIT
"""The report in a browser: at three widths of a window nothing is clipped, nor wider than its place."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest
from sample_runs import fill, run_of, sample

from baton_lab.present import report
from baton_lab.trace import looks
from baton_lab.trace.browser import Browser

LIMIT_S = 240
WIDTHS = (1400, 800, 390)
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
MEASURE = """<!doctype html><meta charset="utf-8"><body style="margin:0"><script>
const found = [];
function look(frame, width) {
  const page = frame.contentDocument, seen = [];
  page.querySelectorAll("details").forEach(each => { each.open = true; });
  const root = page.documentElement;
  if (root.scrollWidth > root.clientWidth) seen.push(`the page takes ${root.scrollWidth}`);
  const texts = "th, td, p, pre, li, dd, dt, h1, h2, h3, h4, summary, figcaption, a, .table, .card";
  for (const each of page.querySelectorAll(texts)) {
    const box = each.getBoundingClientRect(), name = `${each.tagName} ${each.textContent.trim().slice(0, 40)}`;
    if (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== "inline") {
      seen.push(`${name}: takes ${each.scrollWidth} of ${each.clientWidth}`);
    }
    if (box.width && (box.right > width + 0.5 || box.left < -0.5)) seen.push(`${name}: ends at ${box.right}`);
  }
  for (const each of page.querySelectorAll("figure svg text, figure svg use, figure svg path")) {
    const box = each.getBoundingClientRect();
    if (each.closest("defs, clipPath")) continue;
    const outside = box.right > width + 0.5 || box.left < -0.5;
    if (outside) seen.push(`plot ${each.textContent || each.id}: ${box.left} to ${box.right}`);
  }
  return {width, cells: page.querySelectorAll("th, td").length, seen: seen.slice(0, 20)};
}
function show(widths) {
  const [width, ...others] = widths;
  if (!width) { document.body.textContent = "RESULT" + JSON.stringify(found) + "END"; return; }
  const frame = document.createElement("iframe");
  frame.style = `border:0;width:${width}px;height:900px`;
  frame.onload = () => { found.push(look(frame, width)); frame.remove(); show(others); };
  frame.src = PAGE;
  document.body.append(frame);
}
show(WIDTHS);
</script>"""


def measured(page: Path) -> list[dict[str, object]]:
    """Returns the things that are too wide at each width, by a page around the one that is measured."""
    around = page.with_name("measure.html")
    around.write_text(MEASURE.replace("PAGE", json.dumps(page.name)).replace("WIDTHS)", f"{list(WIDTHS)})"))
    words = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]
    words += ["--window-size=1500,1000", "--virtual-time-budget=20000", "--dump-dom", f"file://{around}"]
    profile = f"--user-data-dir={page.parent / 'profile'}"
    answer = subprocess.run([*words, profile], capture_output=True, text=True, check=True, timeout=LIMIT_S)
    result = re.search(r"RESULT(.*)END", answer.stdout)
    assert result is not None, answer.stdout[-500:]
    found = json.loads(unescape(result[1]))
    assert isinstance(found, list)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of many boards, with trends."""
    made = tmp_path_factory.mktemp("browser")
    with fill(
        made / "runs.sqlite", ("nano", "promicro", "rp2040", "mps2-an386", "versatilepb", "esp32c3", "host")
    ) as store:
        store.save(run_of("versatilepb", "srr"), sample("versatilepb", "srr"))
        for suite in ("srr", "async", "service", "realtime"):
            store.save(run_of("host", suite), sample("host", suite))
        moved = [record.model_copy(update={"value": record.value * 1.5}) for record in sample("nano", "auto")]
        store.save(run_of("nano", "auto", commit="b" * 40, dirty=True), moved)
        report.write(made, store)
    return made


@pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")
@pytest.mark.parametrize("name", [report.FILE_NAME, report.TARGETS_NAME])
def test_nothing_is_clipped_or_too_wide_at_any_width(folder: Path, name: str) -> None:
    found = measured(folder / name)
    assert [each["width"] for each in found] == list(WIDTHS)
    assert all(isinstance(each["cells"], int) and each["cells"] > 100 for each in found)
    assert {each["width"]: each["seen"] for each in found} == {width: [] for width in WIDTHS}


@pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")
def test_the_measurement_sees_a_cell_that_is_too_wide(folder: Path) -> None:
    text = (folder / report.TARGETS_NAME).read_text(encoding="utf-8")
    broken = folder / "broken.html"
    broken.write_text(text.replace('<th scope="row">', '<th scope="row" style="white-space:pre">' + "wide " * 60, 1))
    assert all(each["seen"] for each in measured(broken))


@pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")
@pytest.mark.parametrize("name", [report.FILE_NAME, report.TARGETS_NAME])
def test_each_text_can_be_read_in_both_schemes(folder: Path, name: str) -> None:
    with Browser() as shown:
        assert looks.faults(shown, folder / name) == []
