# SPDX-License-Identifier: MIT
"""The look of a page in Chromium: texts without contrast, what is wider than the window, and the scheme of colours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from baton_lab.trace.browser import Browser

WIDTHS = (1400, 800, 390)
"""A large screen, a small one, and a phone."""
HEIGHT = 900
STILL = (
    "document.head.append(Object.assign(document.createElement('style'), {textContent: "
    "'*, *::before, *::after, *::placeholder { transition: none !important; animation: none !important; }'}))"
)
"""Without it a colour is measured on its way from one to another."""
SCRIPT = Path(__file__).with_name("looks.js")


def faults(shown: Browser, page: Path, ready: str = "document.readyState === 'complete'") -> list[str]:
    """Opens a page at each width and in both schemes, and describes what cannot be read.

    Cost     about a second for a page.
    Errors   BrowserError
    """
    if not page.is_file():
        return [f"{page} is not there"]
    found: dict[str, None] = {}
    for dark in (False, True):
        shown.resize(WIDTHS[0], HEIGHT, dark=dark)
        shown.open(page)
        shown.until(ready)
        shown.evaluate(STILL)
        for width in WIDTHS:
            shown.resize(width, HEIGHT, dark=dark)
            found |= dict.fromkeys(f"{page.name} at {width}, {_name(dark)}: {fault}" for fault in of_view(shown, dark))
    return list(found)


def of_view(shown: Browser, dark: bool) -> list[str]:
    """Describes what cannot be read in the page that is open, as it is shown.

    Errors   BrowserError
    """
    ask = _asker(shown)
    scheme = [] if ask("isDark()") is dark else [f"the page is not {_name(dark)}"]
    return [*scheme, *ask("pale()"), *ask("wide()")]  # type: ignore[misc]


def _asker(shown: Browser) -> Callable[[str], object]:
    text = SCRIPT.read_text(encoding="utf-8")
    return lambda what: shown.evaluate(f"(() => {{ {text}\nreturn looks.{what}; }})()")


def _name(dark: bool) -> str:
    return "dark" if dark else "light"
