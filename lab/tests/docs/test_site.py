# SPDX-License-Identifier: MIT
"""The navigation is completed, pages are written once, the packages are pinned, and the step turns red."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePosixPath

import pytest
from conftest import script

from baton_lab.base.process import Outcome
from baton_lab.base.project import ROOT, Project
from baton_lab.docs import doxygen, gather, hooks, places, site, step
from baton_lab.setup import pins, site_packages
from baton_lab.setup.packages import SetupError

PAGES = [PurePosixPath(name) for name in ("a/README.md", "a/b.md", "a/0.md", "a/c/d.md", "e.md")]


def test_an_entry_of_a_folder_becomes_its_pages_with_the_readme_first() -> None:
    nav = ["e.md", {"A": ["a/*", {"C": ["a/c/*"]}]}, {"E": "e.md"}]
    pages = ["a/README.md", "a/0.md", "a/b.md", "a/c/d.md"]
    assert hooks.completed(nav, PAGES) == ["e.md", {"A": [*pages, {"C": ["a/c/d.md"]}]}, {"E": "e.md"}]


def test_an_option_of_a_command_in_a_text_is_kept_in_one_line() -> None:
    text = "<p>a-b <code>./baton test --no-skips -o x_-y</code></p><pre><code>\n<span>a</span> -b</code></pre>"
    marked = '<span class="option">--no-skips</span> <span class="option">-o</span> x_-y</code></p><pre>'
    assert hooks.on_page_content(text, page=None) == text.replace("--no-skips -o x_-y</code></p><pre>", marked)


def test_the_site_has_every_document_of_the_tree() -> None:
    found = gather.of_tree(ROOT)
    for name in ("README.md", "docs/tutorial.md", "bench/results/nano.md", "docs/decisions/README.md"):
        assert PurePosixPath(name) in found
    assert not [page for page in found if page.parts[0] in gather.OUTSIDE]


def test_a_page_is_written_only_if_its_text_changes_and_goes_with_its_document(tmp_path: Path) -> None:
    page, gone = tmp_path / "a.md", tmp_path / "b" / "gone.md"
    gather._write(page, "text")
    gather._write(gone, "text")
    os.utime(page, (1, 1))
    gather._write(page, "text")
    gather._remove_others(tmp_path, {page})
    assert page.stat().st_mtime == 1 and not gone.exists()
    gather._write(page, "other")
    assert page.read_text() == "other" and page.stat().st_mtime > 1


def test_the_pages_of_a_tree_are_gathered_with_what_they_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    xml = tmp_path / "xml"
    xml.mkdir()
    monkeypatch.setattr(doxygen, "described", lambda places: xml)
    (tmp_path / "modules.json").write_text('{"modules": {}, "folders": {}}')
    (tmp_path / "docs" / "site").mkdir(parents=True)
    (tmp_path / "docs" / "site" / "site.css").write_text("css")
    (tmp_path / "docs" / "job.svg").write_text("svg")
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "a.cpp").write_text("int a;\n")
    (tmp_path / "docs" / "b.md").write_text("# B\n[a](../core/a.cpp) [core](../core) ![job](job.svg)\n")
    pages = places.Places(tmp_path).pages
    stale = pages / "docs" / "gone.md"
    stale.parent.mkdir(parents=True)
    stale.write_text("old")
    expected = ["docs/b.md", "reference/README.md", "source/core/a.cpp.md", "source/core/files.md"]
    assert [str(page) for page in gather.gather(tmp_path)] == expected
    text = (pages / "docs" / "b.md").read_text()
    assert "[a](../source/core/a.cpp.md) [core](../source/core/files.md) ![job](job.svg)" in text
    assert "- [a.cpp](a.cpp.md)" in (pages / "source" / "core" / "files.md").read_text()
    assert (pages / "docs" / "job.svg").read_text() == "svg" and (pages / "assets" / "site.css").read_text() == "css"
    assert not stale.exists()


def test_a_source_is_shown_beyond_any_fence_in_it_and_is_not_searched(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("// ```\nint a;\n")
    text = gather._source(tmp_path, PurePosixPath("a.cpp"))
    assert text.startswith("---\nsearch:\n  exclude: true\n---\n") and "``````cpp\n// ```\nint a;\n``````" in text


def test_packages_are_installed_once_per_list_of_requirements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lab").mkdir()
    (tmp_path / pins.OF_SITE).write_text("thing==1.0\n")
    told = tmp_path / "told"
    pip = f'echo "$@" >> {told}; while [ "$1" != --target ]; do shift; done; mkdir -p "$2"'
    monkeypatch.setattr(sys, "executable", str(script(tmp_path / "pip", pip)))
    assert not site_packages.is_complete(tmp_path)
    for _ in range(2):
        site_packages.ensure(tmp_path)
    assert site_packages.is_complete(tmp_path) and len(told.read_text().splitlines()) == 1
    assert "--require-hashes" in told.read_text()
    (tmp_path / pins.OF_SITE).write_text("thing==2.0\n")
    assert not site_packages.is_complete(tmp_path)


def test_packages_that_pip_refuses_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lab").mkdir()
    (tmp_path / pins.OF_SITE).write_text("thing==1.0\n")
    monkeypatch.setattr(sys, "executable", str(script(tmp_path / "pip", "echo no such hash; exit 1")))
    with pytest.raises(SetupError, match="no such hash"):
        site_packages.ensure(tmp_path)
    assert not site_packages.is_complete(tmp_path)


@pytest.mark.parametrize(
    ("code", "files", "said"),
    [
        (0, (site.FIRST_PAGE, step.SEARCH), ""),
        (0, (site.FIRST_PAGE,), f"no {step.SEARCH}"),
        (0, (site.FIRST_PAGE, step.SEARCH), "too pale"),
        (1, (site.FIRST_PAGE, step.SEARCH), "WARNING"),
    ],
)
def test_the_step_fails_by_a_warning_by_a_site_without_search_and_by_a_text_that_is_hard_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, files: tuple[str, ...], said: str
) -> None:
    monkeypatch.setattr(site_packages, "is_complete", lambda root: True)
    monkeypatch.setattr(site, "build", lambda project: Outcome(("mkdocs",), code, "WARNING", "", 1.0))
    monkeypatch.setattr(step, "found_by_search", lambda project, word: 1)
    monkeypatch.setattr(step, "hard_to_read", lambda project: [said] if said == "too pale" else [])
    for name in files:
        path = places.Places(tmp_path).site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    result = step.step().action(Project(tmp_path))
    assert (result.failed == 0) == (said == "") and said in result.output


def test_the_step_fails_where_the_search_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = '<div class="md-search-result__meta">{} matching documents</div>'
    browser = script(tmp_path / "chromium", f"echo '{page.format(18)}'")
    monkeypatch.setattr(step, "BROWSER", str(browser))
    assert step.found_by_search(Project(tmp_path), "rendezvous") == 18
    script(tmp_path / "chromium", "echo '<html></html>'")
    assert step.found_by_search(Project(tmp_path), "rendezvous") == 0
    monkeypatch.setattr(step, "BROWSER", "no-such-browser")
    assert step.found_by_search(Project(tmp_path), "rendezvous") == 0


def test_the_step_fails_without_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_packages, "is_complete", lambda root: False)
    result = step.step().action(Project(tmp_path))
    assert result.failed == 1 and result.repeat == step.REPEAT


def test_the_configuration_lets_a_page_ask_nobody() -> None:
    text = (ROOT / places.CONFIGURATION).read_text(encoding="utf-8")
    assert "font: false" in text and "- offline" in text and "://" not in text
    assert (ROOT / places.ASSETS / "iframe-worker-shim.js").is_file()
