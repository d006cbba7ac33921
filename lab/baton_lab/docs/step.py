# SPDX-License-Identifier: MIT
"""The step of ./baton test that builds the documentation site: links exist, the search finds, pages can be read."""

from __future__ import annotations

import re
import tempfile

from baton_lab.base.process import run
from baton_lab.base.project import Project
from baton_lab.check.steps.step import Result, Step, of_outcome
from baton_lab.docs import places, site
from baton_lab.setup import site_packages
from baton_lab.trace import looks
from baton_lab.trace.browser import Browser, BrowserError

NAME = "documentation site"
REPEAT = "./baton docs --no-open"
SEARCH = "search/search_index.js"
BROWSER = "chromium"
WORD = "rendezvous"
LIMIT_S = 120.0
LOOKED_AT = ("index.html", "docs/stability.html", "docs/upgrading.html", "docs/licences.html", "docs/questions.html",
             "docs/real-boards.html", "reference/core/channel.hpp.html")  # fmt: skip
"""Pages with everything that the theme draws: tables, programs, commands, a declaration."""
_FOUND = re.compile(r'md-search-result__meta">\s*(\d+) matching')


def step() -> Step:
    """Builds the site, in which a warning of MkDocs is a failure, and searches it from its files, without a server."""
    return Step(NAME, _build)


def _build(project: Project) -> Result:
    if not site_packages.is_complete(project.root):
        return _failed("the packages of the site are not installed")
    result = of_outcome(site.build(project))
    if result.failed:
        return _failed(result.output)
    folder = places.Places(project.root).site
    lacking = [name for name in (site.FIRST_PAGE, SEARCH) if not (folder / name).is_file()]
    if lacking:
        return _failed(f"no {' '.join(lacking)}")
    if not found_by_search(project, WORD):
        return _failed(f"the search of the site does not find {WORD} in {BROWSER}")
    if faults := hard_to_read(project):
        return _failed("\n".join(faults))
    return Result(passed=3)


def found_by_search(project: Project, word: str) -> int:
    """Returns the number of pages that the site's search finds in a browser; 0 if there is no browser."""
    page = (places.Places(project.root).site / site.FIRST_PAGE).resolve().as_uri()
    with tempfile.TemporaryDirectory(prefix="baton-docs-") as profile:
        flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
        command = [BROWSER, *flags, "--virtual-time-budget=20000", "--dump-dom", f"{page}?q={word}"]
        try:
            outcome = run(command, cwd=project.root, limit_s=LIMIT_S)
        except FileNotFoundError:
            return 0
    found = _FOUND.search(outcome.output)
    return int(found[1]) if found else 0


def hard_to_read(project: Project) -> list[str]:
    """Describes what cannot be read at three widths of a window and in both schemes."""
    folder = places.Places(project.root).site
    try:
        with Browser() as shown:
            return [fault for name in LOOKED_AT for fault in looks.faults(shown, folder / name)]
    except BrowserError as error:
        return [str(error)]


def _failed(output: str) -> Result:
    return Result(failed=1, output=output, repeat=REPEAT)
