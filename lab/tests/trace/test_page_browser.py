# SPDX-License-Identifier: MIT
"""The page in Chromium, from a file: it draws bars where they are, in their colours, and answers keys and clicks."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from trace_programs import trace_of

from baton_lab.trace import browser, frame_times, html_page, looks
from baton_lab.trace.browser import Browser, BrowserError
from baton_lab.trace.model import Event, Kind, Name, Node, Trace
from baton_lab.trace.spans import spans

pytestmark = pytest.mark.skipif(not browser.found(), reason="chromium is not installed")
LIGHT, DARK = "#ffffff", "#14161c"
RUN, READY, LOST = "#3949ab", "#f2b134", "#c62828"
RUN_IN_THE_DARK = "#8c9eff"
FIRST_WAIT, ANY_TIMER = "#0072b2", "#a9b0c0"


def known() -> Trace:
    """One task runs, waits for a channel, is ready, runs, and waits for a timer: a fifth of 1 ms each."""
    names = {1: Name("reader", "task", "src/reader.cpp", 3), 2: Name("writer", "task"), 9: Name("input", "object")}
    points = {4: Name("read_line", "task", "src/reader.cpp", 12)}
    events = [
        Event(0, Kind.run, 1), Event(200, Kind.wait, 1, 9, 4), Event(400, Kind.ready, 1, 2), Event(600, Kind.run, 1),
        Event(800, Kind.wait, 1, 0), Event(900, Kind.overflow, 0, 0, 7), Event(900, Kind.wait, 1, 0),
        Event(1000, Kind.ready, 1),
    ]  # fmt: skip
    return Trace([Node("board", 1_000_000, names, points, events, lost=7)], simulated=True, source="by hand")


@pytest.fixture(scope="module")
def shown() -> Iterator[Browser]:
    with Browser() as made:
        yield made


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "known.html"
    html_page.write(known(), spans(known()), path)
    return path


def open_page(shown: Browser, path: Path, width: int = 1400, *, dark: bool = False) -> None:
    shown.resize(width, 900, dark=dark)
    shown.open(path)
    frame_times.wait(shown)
    shown.evaluate("batonTrace.started.then(page => { window.page = page; page.drawNow(); })")


def colour_at(shown: Browser, row: str, ns: float, down: int) -> str:
    """Returns the colour of the chart at a row and a time, so many points below the top of the row."""
    shown.evaluate("page.drawNow()")
    place = shown.evaluate(
        "(() => { const chart = page.chart, box = chart.canvas.getBoundingClientRect();"
        f"const row = page.model.rows.find(row => row.name === {json.dumps(row)});"
        f"return [box.left + chart.x({ns}), box.top + chart.top.get(row.index) - chart.scroll + {down}]; }})()"
    )
    image = Image.open(io.BytesIO(shown.picture())).convert("RGB")
    red, green, blue = image.getpixel((round(place[0]), round(place[1])))  # type: ignore[misc]
    return f"#{red:02x}{green:02x}{blue:02x}"


def chosen(shown: Browser) -> str:
    text = shown.evaluate("document.getElementById('panel').innerText")
    assert isinstance(text, str)
    return text


def test_each_bar_is_where_it_is_in_its_colour(shown: Browser, page: Path) -> None:
    open_page(shown, page)
    shown.evaluate("page.chart.arrows = false")
    expected = {30: (RUN, RUN), 390: (LIGHT, FIRST_WAIT), 590: (READY, READY), 630: (RUN, RUN), 890: (LIGHT, ANY_TIMER)}
    for us, colours in expected.items():
        assert (colour_at(shown, "reader", us * 1000, 5), colour_at(shown, "reader", us * 1000, 20)) == colours, us
    assert colour_at(shown, "reader", 900_000, 10) == LOST
    assert shown.evaluate("performance.getEntriesByType('resource').length") == 0


def test_the_dark_scheme_has_colours_of_its_own(shown: Browser, page: Path) -> None:
    open_page(shown, page, dark=True)
    assert colour_at(shown, "reader", 30_000, 5) == RUN_IN_THE_DARK
    assert colour_at(shown, "reader", 250_000, 2) == DARK


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", looks.WIDTHS)
def test_the_column_of_names_has_the_ground_of_the_scheme_beside_and_below_the_rows(
    shown: Browser, page: Path, width: int, *, dark: bool
) -> None:
    open_page(shown, page, width, dark=dark)
    left, top, high, row, last = shown.evaluate(
        "(() => { const box = page.chart.canvas.getBoundingClientRect();"
        "return [box.left, box.top, box.height, page.chart.top.get(0), page.chart.height]; })()"
    )
    image = Image.open(io.BytesIO(shown.picture())).convert("RGB")
    places = [(left + 3, top + row + 4), *((left + x, top + y) for x in (1, 80) for y in (last + 2, high - 2))]
    grounds = {image.getpixel((round(x), round(y))) for x, y in places}
    assert high > last + 50 and grounds == {tuple(bytes.fromhex((DARK if dark else LIGHT)[1:]))}


def test_each_text_can_be_read_and_the_hint_of_the_search_is_whole(shown: Browser, page: Path, tmp_path: Path) -> None:
    trace = trace_of(1, 500, tasks=12, nodes=2)
    html_page.write(trace, spans(trace), tmp_path / "two.html")
    for each in (page, tmp_path / "two.html"):
        assert looks.faults(shown, each, frame_times.LOADED) == []
        for width in looks.WIDTHS:
            open_page(shown, each, width)
            text, room = shown.evaluate(
                "(() => { const field = document.getElementById('search'), style = getComputedStyle(field);"
                "const pen = document.createElement('canvas').getContext('2d'); pen.font = style.font;"
                "return [pen.measureText(field.placeholder).width,"
                "field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)]; })()"
            )
            assert text <= room, width


def test_a_click_shows_task_line_wait_waker_and_duration(shown: Browser, page: Path) -> None:
    open_page(shown, page)
    x, y = shown.evaluate(
        "(() => { const box = page.chart.canvas.getBoundingClientRect();"
        "return [box.left + page.chart.x(300000), box.top + page.chart.top.get(0) + 12]; })()"
    )
    shown.click(x, y)
    text = " ".join(chosen(shown).split())
    for words in ("reader state waiting", "duration 200 µs", "waits for input", "at line src/reader.cpp:12",
                  "in function read_line", "woken by writer", "longest step 200 µs"):  # fmt: skip
        assert words in text
    shown.key("Escape", code=27)
    assert "The trace" in chosen(shown) and "7 events: red lines" in chosen(shown)


def test_keys_search_zoom_pan_and_go_on(shown: Browser, page: Path) -> None:
    open_page(shown, page)
    view = "[page.chart.view.t0, page.chart.view.t1].map(Math.round)"
    shown.key("+")
    assert shown.evaluate(view) == [200_000, 800_000]
    shown.key("ArrowRight", code=39)
    assert shown.evaluate(view) == [290_000, 890_000]
    shown.key("0")
    assert shown.evaluate(view) == [0, 1_000_000]
    shown.key("/")
    for letter in "input":
        shown.key(letter)
    shown.key("Enter", code=13)
    assert "waits for\ninput" in chosen(shown).replace("\n\n", "\n")
    shown.evaluate("document.getElementById('scroller').focus()")
    shown.evaluate("page.step(1)")
    assert "ready" in chosen(shown)
    shown.key("f")
    assert shown.evaluate(view) == [380_000, 620_000]


def test_nothing_is_wider_than_the_window(shown: Browser, tmp_path: Path) -> None:
    trace = trace_of(1, 2000, tasks=30, nodes=2)
    trace.nodes[0].names[16].text = "a_task_with_a_name_that_is_far_too_long_for_any_window_of_a_phone"
    trace.nodes[0].lost = 123_456
    html_page.write(trace, spans(trace), tmp_path / "wide.html")
    for width in (1400, 800, 390):
        open_page(shown, tmp_path / "wide.html", width)
        shown.evaluate("page.goTo(page.model.rows.find(row => row.name.startsWith('a_task')), 0)")
        found = shown.evaluate(
            "[...document.querySelectorAll('header *, footer, footer *, #panel, #panel *, canvas')].filter(each => {"
            "const box = each.getBoundingClientRect();"
            f"return box.width && (box.right > {width} + 0.5 || box.left < -0.5); }}).map(each => each.outerHTML)"
        )
        assert (width, found) == (width, [])
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.evaluate("page.scroller.clientHeight") > 200


def test_many_bars_in_a_point_are_drawn_as_the_share_that_ran(shown: Browser, tmp_path: Path) -> None:
    """A task that runs every other microsecond for 100 ms fills half of the height."""
    events = []
    for at in range(0, 100_000, 2):
        events += [Event(at, Kind.run, 1), Event(at + 1, Kind.wait, 1, 9)]
    trace = Trace([Node("n", 1_000_000, {1: Name("busy", "task"), 9: Name("gate", "object")}, events=events)])
    html_page.write(trace, spans(trace), tmp_path / "many.html")
    open_page(shown, tmp_path / "many.html")
    assert shown.evaluate("page.chart.coarse") is True
    assert colour_at(shown, "busy", 50_000_000, 14) == RUN
    assert colour_at(shown, "busy", 50_000_000, 6) == LIGHT
    assert colour_at(shown, "busy", 50_000_000, 20) in {FIRST_WAIT, LIGHT}


def test_a_page_with_a_broken_column_says_so(shown: Browser, page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8").replace('data-count="', 'data-count="9', 1)
    (tmp_path / "broken.html").write_text(text, encoding="utf-8")
    shown.open(tmp_path / "broken.html")
    with pytest.raises(BrowserError, match="is broken"):
        frame_times.wait(shown)
    assert "does not show the trace" in shown.evaluate("document.getElementById('wait').textContent")


def test_a_script_that_throws_is_an_error_with_its_words(shown: Browser) -> None:
    with pytest.raises(BrowserError, match="on purpose"):
        shown.evaluate("(() => { throw new Error('on purpose'); })()")


def test_the_walk_takes_the_time_of_each_frame(page: Path) -> None:
    times = frame_times.measure(page, rounds=1)
    assert len(times.between[0]) == len(times.drawing[0]) > 250
    assert all(each > 0 for each in times.between[0])
    assert times.size == page.stat().st_size
    assert 0 < times.processor < 1000
    assert max(map(len, times.lines())) <= 80


def test_parts_and_least_times() -> None:
    assert frame_times.share([float(each) for each in range(100)]) == 95
    assert frame_times.least([(1.0, 9.0), (5.0, 2.0)]) == [1.0, 2.0]
    assert frame_times.flat([(1.0,), (5.0, 2.0)]) == [1.0, 5.0, 2.0]
