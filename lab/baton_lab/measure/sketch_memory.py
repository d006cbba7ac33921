# SPDX-License-Identifier: MIT
"""Flash and RAM of what compat/aceroutine offers: sketches on the Arduino core, less the one without a coroutine."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from baton_lab.arduino import library_package
from baton_lab.arduino.core_build import Workshop
from baton_lab.base.locks import alone
from baton_lab.base.project import Project
from baton_lab.board import program_size
from baton_lab.board.program_size import Sizes
from baton_lab.measure import published as library

BASELINE = "baseline"
BOARDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "nano": ("nano", {"cpu": "atmega328"}),
    "promicro": ("leonardo", {}),
}
"""Our board -> the Arduino core's of the same chip, and its options."""


def sizes(project: Project, board: str) -> dict[str, Sizes]:
    """The bytes that each sketch of compat/aceroutine/memory adds to the one without a coroutine, by its record's name.

    Nothing for a board that the Arduino core does not have.

    Context  alone in its build folder: another ./baton waits.
    Errors   SketchError, SizeError
    """
    sketches = sorted((project.root / "compat" / "aceroutine" / "memory").glob("*.ino"))
    if board not in BOARDS or not sketches:
        return {}
    with alone(project.lock(f"sketch-memory-{board}"), f"building the sketches of {board}"):
        return _sizes(project, board, sketches)


def _sizes(project: Project, board: str, sketches: Sequence[Path]) -> dict[str, Sizes]:
    name, options = BOARDS[board]
    place = project.preset(board) / "sketch_memory"
    baton = library_package.write(project.root, place / "libraries").folder
    compat = library_package.write_compat(project.root, place / "libraries").folder
    workshop = Workshop(name, options, place / "build")
    libraries = [workshop.library(baton), (compat / "src", None)]
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        programs = list(pool.map(lambda path: workshop.program(_folder(path, place / "sketches"), libraries), sketches))
    found = program_size.sizes(programs)
    by_name = {program.name.partition(".")[0]: size for program, size in found.items()}
    baseline = by_name.pop(BASELINE)
    return {f"compat_{name}": {kind: size[kind] - baseline[kind] for kind in size} for name, size in by_name.items()}


def larger(board: str, found: Mapping[str, Sizes]) -> list[str]:
    """The features that take more flash or RAM than AceRoutine has published for the same; a line each."""
    lines = []
    for feature, size in found.items():
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


def _folder(sketch: Path, to: Path) -> Path:
    """The folder of its name that the recipes want a sketch to be in."""
    folder = to / sketch.stem
    folder.mkdir(parents=True, exist_ok=True)
    (folder / sketch.name).write_text(sketch.read_text(encoding="utf-8"), encoding="utf-8")
    return folder
