# SPDX-License-Identifier: MIT
"""Flash and RAM of what compat/aceroutine offers: sketches on the Arduino core, less the one without a coroutine."""

from __future__ import annotations

from collections.abc import Mapping

from baton_lab.base.project import Project
from baton_lab.board import program_size
from baton_lab.board.program_size import Sizes
from baton_lab.measure import published as library
from baton_lab.measure import sketches

BASELINE = "baseline"
PREFIX = "compat_"


def sizes(project: Project, board: str) -> dict[str, Sizes]:
    """The bytes that each sketch of compat/aceroutine/memory adds to the one without a coroutine, by its record's name.

    Shape    the baseline's own record has all its bytes. Nothing for a board that the Arduino core does not have.
    Context  alone in its build folder: another ./baton waits.
    Errors   SketchError, SizeError
    """
    sources = sorted((project.root / "compat" / "aceroutine" / "memory").glob("*.ino"))
    if board not in sketches.BOARDS or not sources:
        return {}
    programs = sketches.build(project, board, "sketch_memory", sources)
    found = program_size.sizes(list(programs.values()))
    by_name = {name: found[program] for name, program in programs.items()}
    baseline = by_name.pop(BASELINE)
    added = {f"{PREFIX}{name}": {kind: size[kind] - baseline[kind] for kind in size} for name, size in by_name.items()}
    return {f"{PREFIX}{BASELINE}": baseline, **added}


def larger(board: str, found: Mapping[str, Sizes]) -> list[str]:
    """The features that take more flash or RAM than AceRoutine has published for the same; a line each.

    A sketch without the library is the compiler's alone, and left out.
    """
    lines = []
    for feature, size in found.items():
        if feature.removeprefix(PREFIX) in WITHOUT_THE_LIBRARY:
            continue
        published = library.published().memory(board, feature)
        if published is None:
            lines.append(f"{feature}: nothing is published to compare it with")
            continue
        theirs = {"flash": published[1].flash_bytes, "ram": published[1].ram_bytes}
        lines += [
            f"{board}: {feature} takes {size[kind]} bytes of {kind}; published are {most}"
            for kind, most in theirs.items()
            if size[kind] > most
        ]
    return lines


WITHOUT_THE_LIBRARY = (BASELINE, "one_delay_function", "two_delay_functions", "blink_function")
"""Sketches that AceRoutine has published beside its own, and that include nothing of it."""
