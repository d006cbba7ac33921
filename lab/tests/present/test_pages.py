# SPDX-License-Identifier: MIT
"""suites.toml is what the tree has, and names nothing that nobody makes."""

import pytest

from baton_lab.base.project import ROOT
from baton_lab.measure import board_run, suites
from baton_lab.present.pages import MAKERS, Context, UnknownBlockError, make


def test_every_suite_of_the_tree_is_described_and_no_other() -> None:
    assert board_run.suites(ROOT) == [suite.name for suite in suites.known()]


def test_every_kind_of_table_has_a_maker() -> None:
    assert {kind for suite in suites.known() for kind in suite.tables} == set(MAKERS)


def test_every_block_of_a_file_can_be_made() -> None:
    nothing = Context(latest=lambda board, suite: None, facts={})
    blocks = [block for of_file in suites.pages().values() for block in of_file]
    assert [make(block, nothing).name for block in blocks] == blocks
    for name in ("auto", "auto nano host", "across idle", "across", "idler"):
        with pytest.raises(
            UnknownBlockError, match=r"blocks: summary, disciplines \[host\], targets \[BOARD...\], boards, auto BOARD"
        ):
            make(name, nothing)


def test_a_suite_that_nobody_described_is_one_of_time_and_comes_last() -> None:
    assert suites.of("new").takes_time
    assert suites.in_order(["new", "auto", "another", "realtime"]) == ["auto", "realtime", "another", "new"]
    assert suites.as_shown(["auto", "idle", "realtime", "memory", "sizes", "new"]) == [
        "sizes", "memory", "auto", "new", "realtime", "idle"
    ]  # fmt: skip
