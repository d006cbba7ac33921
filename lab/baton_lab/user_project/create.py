# SPDX-License-Identifier: MIT
"""Makes a project: ./baton new. Its files are those of the folder templates."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.user_project import generated, place
from baton_lab.user_project.config import HOST, NAME
from baton_lab.user_project.place import UserProject

TEMPLATES = Path(__file__).with_name("templates")
RENDERED = ".j2"
LAUNCHER = "baton"
FIRST_BUDGETS = {"flash": 8192, "ram": 1024}
"""Of a board with a small chip: about twice what the first program takes."""


@dataclass(frozen=True)
class Wanted:
    """A request to ./baton new: where, for which boards or as a service, and Baton's origin."""

    path: Path
    boards: Sequence[str]
    service: bool
    origin: dict[str, str]


def create(tree: Path, wanted: Wanted) -> UserProject:
    """Makes the folder of the project, as a whole or not at all.

    Errors   BadInputError: the name is no name, the folder exists, or there is no such board.
    """
    path = wanted.path.resolve()
    if not re.fullmatch(NAME, path.name):
        raise BadInputError(f"{path.name!r} is no name for a project: small letters, digits, - and _, a letter first")
    if path.exists():
        raise BadInputError(f"{path} exists already; ./baton new makes a folder of its own")
    if wanted.service and wanted.boards:
        raise BadInputError("--service: a service runs on Linux, so --board does not go with it")
    chosen = board_files.select(tree, [HOST] if wanted.service else wanted.boards or ["nano"], to_run=False)
    scratch = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        for name, text in files(path.name, chosen, wanted).items():
            made = scratch / name
            made.parent.mkdir(parents=True, exist_ok=True)
            made.write_text(text, encoding="utf-8")
        (scratch / LAUNCHER).chmod(0o755)
        for name, text in generated.files(place.load(scratch, tree)).items():
            (scratch / name).parent.mkdir(exist_ok=True)
            (scratch / name).write_text(text, encoding="utf-8")
        scratch.rename(path)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return place.load(path, tree)


def files(name: str, boards: Sequence[Board], wanted: Wanted) -> dict[str, str]:
    """Returns the files of a new project by their names, without those that follow from baton.toml."""
    kind = "service" if wanted.service else "device"
    words: dict[str, Any] = {"name": name, "kind": kind, "boards": [board.name for board in boards]}
    words["is_gated"] = any(board.emulator is not None for board in boards)
    words |= {"origin": wanted.origin, "budgets": [] if wanted.service else _budgets(boards)}
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
    found = {}
    for folder in (TEMPLATES / "common", TEMPLATES / kind):
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            text = path.read_text(encoding="utf-8")
            to = path.relative_to(folder).as_posix()
            is_rendered = path.suffix == RENDERED
            found[to.removesuffix(RENDERED)] = environment.from_string(text).render(words) if is_rendered else text
    return found


def _budgets(boards: Sequence[Board]) -> list[dict[str, Any]]:
    """Returns the first budget of each board with a chip: about twice what the first program takes."""
    return [{"name": board.name, **FIRST_BUDGETS} for board in boards if board.memory is not None]


def origin_of(tree: Path, near: Path, *, installed: str) -> dict[str, str]:
    """Returns the origin that a project names if it is not told one: this tree, or the installed lab.

    Shape    a tree beside the project or above it is named by a relative path.
    """
    if installed:
        return {"lab": installed}
    relative = os.path.relpath(tree, near.resolve())
    return {"folder": relative if not relative.startswith("../..") else str(tree)}
