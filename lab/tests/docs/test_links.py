# SPDX-License-Identifier: MIT
"""The links of a document lead to pages of the site, at whatever kind of file they point in the tree."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from baton_lab.docs.links import Tree, folded, led

PAGE = PurePosixPath("docs/tutorial.md")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    for name in ("docs/tutorial.md", "docs/async.md", "core/README.md", "core/a.hpp", "core/b.cpp", "core/c.bin"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "docs" / "job.svg").touch()
    (tmp_path / "core" / "src").mkdir()
    pages = frozenset(map(PurePosixPath, ("docs/tutorial.md", "docs/async.md", "core/README.md")))
    return Tree(tmp_path, pages, {PurePosixPath("core/a.hpp"): PurePosixPath("reference/core/a.hpp.md")})


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[a](async.md#waits)", "[a](async.md#waits)"),
        ("[a](../core)", "[a](../core/README.md)"),
        ("[a](../core/a.hpp)", "[a](../reference/core/a.hpp.md)"),
        ("[a](../core/b.cpp#L10)", "[a](../source/core/b.cpp.md)"),
        ("[a](../core/src)", "[a](../source/core/src/files.md)"),
        ("![a](job.svg)", "![a](job.svg)"),
        ("[a](../core/c.bin)", "[a](../core/c.bin)"),
        ("[a](https://example.org/b.cpp)", "[a](https://example.org/b.cpp)"),
        ("`[a](../core/b.cpp)`", "`[a](../core/b.cpp)`"),
        ("```\n[a](../core/b.cpp)\n```", "```\n[a](../core/b.cpp)\n```"),
    ],
)
def test_a_link_leads_to_the_page_that_shows_its_target(tree: Tree, link: str, expected: str) -> None:
    assert led(link, PAGE, tree) == expected


def test_what_is_linked_is_noted_so_that_it_becomes_a_page(tree: Tree) -> None:
    led("[a](../core/b.cpp) [b](../core/src) ![c](job.svg) [d](async.md)", PAGE, tree)
    assert tree.sources == {PurePosixPath("core/b.cpp")}
    assert tree.folders == {PurePosixPath("core/src")}
    assert tree.images == {PurePosixPath("docs/job.svg")}


def test_a_page_at_another_place_has_links_from_there(tree: Tree) -> None:
    place = PurePosixPath("reference/core/a.hpp.md")
    assert led("[a](b.cpp)", PurePosixPath("core/a.hpp"), tree, place) == "[a](../../source/core/b.cpp.md)"


def test_the_flags_below_a_table_are_folded() -> None:
    text = "a\n\nMade from run 3 of nano\n\n```\nMade from run 3\n```"
    assert folded(text).startswith('a\n\n??? note "') and "\n    Made from run 3 of nano\n" in folded(text)
    assert folded(text).endswith("```\nMade from run 3\n```")
