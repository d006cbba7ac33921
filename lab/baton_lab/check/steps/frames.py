# SPDX-License-Identifier: MIT
"""The step that compares the frames of coroutines on these boards with docs/frames.md."""

from __future__ import annotations

from collections.abc import Sequence

from baton_lab.base.project import Project
from baton_lab.board.board_files import Board
from baton_lab.builds.presets import BuildError
from baton_lab.check.steps.step import Result, Step
from baton_lab.measure import frames


def step(boards: Sequence[Board]) -> Step:
    """Compares the frames; each board whose compiler has C++20 counts as one."""

    def action(project: Project) -> Result:
        try:
            by_board = {board.name: frames.told(project, board) for board in boards}
        except BuildError as error:
            return Result(failed=1, output=str(error), repeat="./baton frames")
        measured = {name: sizes for name, sizes in by_board.items() if sizes}
        stale = frames.differences(frames.kept(project.root), frames.table(measured)) if measured else []
        if stale:
            return Result(len(measured), len(stale), 0, "\n".join(stale), "./baton frames")
        return Result(passed=len(measured) or 1)

    return Step("frames of coroutines", action, needs=tuple(f"build {board.preset}" for board in boards))
