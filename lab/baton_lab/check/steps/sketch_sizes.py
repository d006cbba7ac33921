# SPDX-License-Identifier: MIT
"""Holds the sketches to their budgets, and each second use of a feature of core or compat to its bytes."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pydantic import Field

from baton_lab.arduino.core_build import Workshop
from baton_lab.base import descriptions
from baton_lab.base.project import Project
from baton_lab.board import program_size
from baton_lab.board.board_files import Board, Part
from baton_lab.check.steps.step import Result

NM = "avr-nm"
USES = "uses.hpp"
TABLE = "second_uses.toml"


class Use(Part):
    """A use of a feature, which the sketch has from `uses` on, and the most bytes that it may add."""

    name: str
    uses: int = Field(ge=1)
    most: int = Field(ge=0)


class Uses(Part):
    """A second_uses.toml."""

    use: list[Use]


def budgets(project: Project, board: Board, workshop: Workshop, sketches: Sequence[Path]) -> Result:
    """Fails if a built sketch is over its budget in tests/arduino/budgets.toml, or has none."""
    programs = [workshop.folder / sketch.name / f"{sketch.name}.ino.elf" for sketch in sketches]
    path = project.root / "tests" / "arduino" / "budgets.toml"
    said = program_size.over_budget(project, board, programs, path, NM)
    return Result(failed=1, output=said) if said else Result(passed=1)


def second_uses(folder: Path, workshop: Workshop, libraries: Sequence[tuple[Path, Path | None]], place: Path) -> Result:
    """Fails if a use of a feature adds more bytes than the table of a folder such as tests/arduino/second_uses allows.

    Errors   SketchError, SizeError
    """
    uses = descriptions.read(folder / TABLE, Uses).use
    needed = sorted({number for use in uses for number in (use.uses - 1, use.uses)})

    def build(number: int) -> Path:
        sketch = place / f"uses-{number}"
        sketch.mkdir(parents=True)
        shutil.copy(folder / USES, sketch)
        (sketch / f"{sketch.name}.ino").write_text(f'#define USES {number}\n#include "{USES}"\n', encoding="utf-8")
        return workshop.program(sketch, libraries)

    with ThreadPoolExecutor(2) as pool:
        programs = dict(zip(needed, pool.map(build, needed), strict=True))
    sizes = program_size.sizes(list(programs.values()))
    flash = {number: sizes[program]["flash"] for number, program in programs.items()}
    return judge(uses, flash)


def judge(uses: Sequence[Use], flash: dict[int, int]) -> Result:
    """Compares what each use adds with the most that it may add."""
    result = Result()
    for use in uses:
        added = flash[use.uses] - flash[use.uses - 1]
        if added <= use.most:
            result += Result(passed=1)
        else:
            text = f"nano: {use.name} takes {added} bytes of flash; {TABLE} allows {use.most}"
            result += Result(failed=1, output=text)
    return result
