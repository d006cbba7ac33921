# SPDX-License-Identifier: MIT
"""A second use of a feature of core adds no more bytes than its table allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton_lab.base import descriptions
from baton_lab.check.steps import sketch_sizes
from baton_lab.check.steps.sketch_sizes import Use

ROOT = Path(__file__).resolve().parents[3]


def test_a_use_that_adds_the_most_passes_and_one_byte_more_fails() -> None:
    uses = [Use(name="a second send", uses=2, most=24), Use(name="a second receive", uses=3, most=40)]
    assert sketch_sizes.judge(uses, {1: 100, 2: 124, 3: 164}).passed == 2
    result = sketch_sizes.judge(uses, {1: 100, 2: 125, 3: 165})
    assert (result.passed, result.failed) == (1, 1)
    assert result.output == "nano: a second send takes 25 bytes of flash; second_uses.toml allows 24"


@pytest.mark.parametrize("folder", ["tests/arduino/second_uses", "compat/aceroutine/second_uses"])
def test_each_use_of_the_table_is_in_the_sketch(folder: str) -> None:
    source = (ROOT / folder / sketch_sizes.USES).read_text(encoding="utf-8")
    uses = descriptions.read(ROOT / folder / sketch_sizes.TABLE, sketch_sizes.Uses).use
    assert uses
    for use in uses:
        assert f"#if USES >= {use.uses}\n" in source, use.name
