# SPDX-License-Identifier: MIT
"""The sketches of compat/aceroutine, built like the Arduino IDE builds them: with the core's flags and none of ours."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from baton_lab.arduino import core_build, library_package
from baton_lab.arduino.core_build import SketchError, Workshop
from baton_lab.base.locks import alone
from baton_lab.base.project import Project
from baton_lab.builds.presets import telling

BOARDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "nano": ("nano", {"cpu": "atmega328"}),
    "promicro": ("leonardo", {}),
}
"""Our board -> the Arduino core's of the same chip, and its options."""


def build(project: Project, board: str, what: str, sources: Sequence[Path]) -> dict[str, Path]:
    """Builds sketches for a board with Baton's libraries; returns the program of each by its name.

    Shape    `what` names the sketches, and the folder in the board's build folder where they are built.
    Context  alone in that folder: another ./baton waits.
    Errors   SketchError
    """
    name, options = BOARDS[board]
    place = project.preset(board) / what
    with alone(project.lock(f"{what}-{board}"), f"building the sketches of {board}"):
        baton = library_package.write(project.root, place / "libraries").folder
        compat = library_package.write_compat(project.root, place / "libraries").folder
        workshop = Workshop(name, options, place / "build")
        libraries = [workshop.library(baton), (compat / "src", None)]
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            programs = list(pool.map(lambda path: workshop.program(_folder(path, place), libraries), sources))
    return {path.stem: program for path, program in zip(sources, programs, strict=True)}


def flags(board: str) -> str:
    """The flags that compile and link a sketch for a board; empty where the Arduino core does not have it."""
    if board not in BOARDS:
        return ""
    try:
        return " ".join(telling(core_build.words(*BOARDS[board])))
    except SketchError:
        return ""


def _folder(sketch: Path, place: Path) -> Path:
    """The folder of its name that the recipes want a sketch to be in."""
    folder = place / "sketches" / sketch.stem
    folder.mkdir(parents=True, exist_ok=True)
    (folder / sketch.name).write_text(sketch.read_text(encoding="utf-8"), encoding="utf-8")
    return folder
