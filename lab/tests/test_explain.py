# SPDX-License-Identifier: MIT
from pathlib import Path

import pytest

from baton_lab import explain
from baton_lab.boards import BadInputError
from baton_lab.project import ROOT

TABLE = """# Ids
| id | raised in | what was wrong | what to do |
| --- | --- | --- | --- |
| 120 | `core/ring.hpp` | the ring holds more than its slots | report it: a bug of ours |
| 121 | `core/channel.hpp` | a reply without a request | reply once for each receive |
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "require.md").write_text(TABLE)
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "ring.hpp").write_text("// BATON_REQUIRE(7, x)\nBATON_REQUIRE(120, ok());\n")
    (tmp_path / "core" / "channel.hpp").write_text("BATON_REQUIRE(\n    121, ok());\n")
    return tmp_path


def test_an_id_is_explained(tree: Path) -> None:
    assert str(explain.explain(tree, 121)).splitlines() == [
        "121, raised in core/channel.hpp",
        "What was wrong: a reply without a request",
        "What to do: reply once for each receive",
    ]


def test_an_unknown_id_is_refused_with_those_that_exist(tree: Path) -> None:
    with pytest.raises(BadInputError, match="ids: 120 121"):
        explain.explain(tree, 5)


def test_a_table_that_agrees_with_the_sources(tree: Path) -> None:
    assert explain.problems(tree) == []


def test_an_id_used_twice_is_found(tree: Path) -> None:
    (tree / "core" / "timer.hpp").write_text("BATON_REQUIRE(120, a);")
    assert explain.problems(tree) == ["core/timer.hpp: BATON_REQUIRE id 120 is also in core/ring.hpp"]


def test_a_modules_own_tests_may_raise_what_they_like(tree: Path) -> None:
    (tree / "core" / "tests").mkdir()
    (tree / "core" / "tests" / "require_test.cpp").write_text("BATON_REQUIRE(120, a); BATON_REQUIRE(900, b);")
    assert explain.problems(tree) == []


def test_an_id_without_a_row_is_found(tree: Path) -> None:
    (tree / "core" / "timer.hpp").write_text("BATON_REQUIRE(9, a);")
    assert explain.problems(tree) == ["core/timer.hpp: BATON_REQUIRE id 9 is not in docs/require.md"]


def test_a_row_that_nothing_raises_and_a_doubled_row_are_found(tree: Path) -> None:
    (tree / "core" / "channel.hpp").unlink()
    with (tree / "docs" / "require.md").open("a") as table:
        table.write("| 120 | x | y | z |\n")
    assert explain.problems(tree) == [
        "docs/require.md: id 120 stands there twice",
        "docs/require.md: no source raises id 121",
    ]


def test_the_trees_own_ids_are_unique_and_explained() -> None:
    assert explain.uses(ROOT), "no BATON_REQUIRE found at all"
    assert explain.problems(ROOT) == []
