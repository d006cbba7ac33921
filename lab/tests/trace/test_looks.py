# SPDX-License-Identifier: MIT
"""A text without contrast, an element beyond the window and a page that does not follow the scheme are found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from baton_lab.trace import browser, looks
from baton_lab.trace.browser import Browser

pytestmark = pytest.mark.skipif(not browser.found(), reason="chromium is not installed")
STYLE = ":root { color-scheme: light dark } body { margin: 0; background: Canvas; color: CanvasText }"
PAGE = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{}</style>{}"""


@pytest.fixture(scope="module")
def shown() -> Iterator[Browser]:
    with Browser() as made:
        yield made


def found(shown: Browser, folder: Path, body: str, style: str = STYLE) -> list[str]:
    page = folder / "page.html"
    page.write_text(PAGE.format(style, body), encoding="utf-8")
    return [fault.removeprefix("page.html at ") for fault in looks.faults(shown, page)]


GREY = "<p style='background:#fff; color:{}'>grey</p>"


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ("<p>text</p>", 0),
        (GREY.format("#767676"), 0),
        (GREY.format("#777777"), 6),
        (GREY.format("rgb(0 0 0 / 40%)"), 6),
        (f"<div style='font-size:24px'>{GREY.format('#949494')}</div>", 0),
        (f"<div hidden>{GREY.format('#eee')}</div>", 0),
        ("<svg><rect width='9' height='9'/><text y='9' fill='#808080' font-size='10'>grey</text></svg>", 3),
        ("<input placeholder='hint' style='background:#fff'><style>::placeholder { color: #999 }</style>", 6),
        ("<p style='width:500px'>wide</p>", 4),
        ("<div style='overflow-x:auto'><pre style='width:500px'>wide</pre></div>", 0),
    ],
)
def test_a_fault_is_found_where_it_is(shown: Browser, tmp_path: Path, body: str, faults: int) -> None:
    assert len(found(shown, tmp_path, body)) == faults


def test_a_fault_has_its_page_width_scheme_element_and_measure(shown: Browser, tmp_path: Path) -> None:
    assert found(shown, tmp_path, GREY.format("#777777"))[0] == '1400, light: p "grey": contrast 4.48'
    assert found(shown, tmp_path, "<p style='width:500px'>w</p>")[:2] == [
        "390, light: the page takes 500 of 390", '390, light: p "w"',
    ]  # fmt: skip


def test_a_page_that_stays_light_is_found(shown: Browser, tmp_path: Path) -> None:
    still = "body { margin: 0; background: #fff; color: #000 }"
    assert found(shown, tmp_path, "<p>text</p>", still) == [
        f"{width}, dark: the page is not dark" for width in looks.WIDTHS
    ]


def test_a_page_that_is_not_there_is_a_fault(shown: Browser, tmp_path: Path) -> None:
    assert looks.faults(shown, tmp_path / "none.html") == [f"{tmp_path / 'none.html'} is not there"]
