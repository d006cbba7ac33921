# SPDX-License-Identifier: MIT
"""tables.toml: a table is laid out as its columns say, and a mistake in the file is an error."""

from types import SimpleNamespace

import pytest
from jinja2 import UndefinedError
from pydantic import ValidationError

from baton_lab.present import grid
from baton_lab.present.grid import Column, described, table

ROWS = [SimpleNamespace(name=name, figure=figure, kind=kind) for name, figure, kind in
        (("one", 1.25, "a"), ("two", None, "a"), ("three", 3, "b"))]  # fmt: skip


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """The columns of a table `probe`, to be filled."""
    columns: list[dict[str, object]] = []
    data = described().model_dump()

    def made() -> grid._Tables:
        notes = ["{{ what }}\nagain\n", "{% if not rows %}no{% endif %}"]
        probe = {"title": "{{ what }}", "columns": columns, "notes": notes, "family": "r.kind"}
        return grid._Tables.model_validate({**data, "table": {"probe": probe}})

    monkeypatch.setattr(grid, "described", made)
    return columns


def test_a_table_is_laid_out_as_its_columns_say(written: list[dict[str, object]]) -> None:
    written += [
        {"head": "name", "text": "r.name", "kind": "text"},
        {"head": "figure", "text": "r.figure | n(1)", "volatile": "what == 'W'", "optional": 1},
        {"head": "empty", "text": "''", "sparse": True},
        {"each": "[1, 2]", "columns": [{"head": "x{{ each }}", "text": "each", "when": "each > 1"}]},
    ]
    made = table("probe", ROWS, what="W")
    assert made.columns == (Column("name", "text"), Column("figure", optional=1, volatile=True), Column("x2"))
    assert made.rows == (("one", "1.2", "2"), ("two", "", "2"), ("three", "3.0", "2"))
    assert (made.title, made.notes, set(made.rules)) == ("W", ("W", "again"), {2})
    assert table("probe", ROWS, what="W", title="T").title == "T"


@pytest.mark.parametrize("expression", ["r.nothing", "r.figure | n(undecided)", "unknown"])
def test_a_name_that_nobody_knows_is_an_error(written: list[dict[str, object]], expression: str) -> None:
    written.append({"head": "x", "text": expression})
    with pytest.raises((UndefinedError, TypeError)):
        table("probe", ROWS, what="W")


def test_a_key_that_no_column_has_is_an_error(written: list[dict[str, object]]) -> None:
    written.append({"head": "x", "text": "r.name", "sparce": True})
    with pytest.raises(ValidationError, match="sparce"):
        table("probe", ROWS, what="W")
