# SPDX-License-Identifier: MIT
"""Writes the files of a project that follow from its baton.toml: presets, cmake/project.cmake and a link."""

from __future__ import annotations

import glob
import json
import os
from pathlib import Path
from typing import Any

from baton_lab.base import descriptions
from baton_lab.base.files import write_atomically
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.user_project.config import HOST, Origin
from baton_lab.user_project.place import UserProject

PRESETS, SETTINGS, LINK = "CMakePresets.json", "cmake/project.cmake", "build/baton/tree"
TREE = "${sourceDir}/" + LINK
EMULATED_TEST_MS = 60_000


def refresh(mine: UserProject) -> list[str]:
    """Writes what is not as baton.toml says; returns the names of the changed files.

    Errors   BadInputError: the tree has no preset for a board; the program has no source.
    """
    _require_sources(mine)
    changed = [name for name, text in files(mine).items() if _replace(mine.root / name, text)]
    if _link(mine.root / LINK, mine.tree) and PRESETS not in changed:
        (mine.root / PRESETS).touch()  # the builds begin afresh with another tree
        changed.append(LINK)
    return changed


def _require_sources(mine: UserProject) -> None:
    patterns = mine.config.program.sources
    if not any(glob.glob(pattern, root_dir=mine.root) for pattern in patterns):  # noqa: PTH207 - it may be absolute
        says = f"no file fits {' or '.join(patterns) or 'an empty list'}"
        raise BadInputError(descriptions.at(mine.file, ("program", "sources"), says))


def files(mine: UserProject) -> dict[str, str]:
    """Returns the generated files of a project by their names."""
    return {PRESETS: presets(mine), SETTINGS: settings(mine)}


def _replace(path: Path, text: str) -> bool:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    write_atomically(path, text)
    return True


def _link(link: Path, tree: Path) -> bool:
    """Lets the link lead to the tree; returns True if it did not."""
    if link.is_symlink() and link.readlink() == tree:
        return False
    link.parent.mkdir(parents=True, exist_ok=True)
    fresh = link.with_name(f".{link.name}.{os.getpid()}")
    fresh.symlink_to(tree)
    fresh.replace(link)
    return True


def presets(mine: UserProject) -> str:
    """Returns CMakePresets.json: a preset for the host, and one for each board."""
    known = {preset["name"]: preset for preset in _of_tree(mine.tree)}
    names = [HOST, *(board.name for board in mine.boards if board.name != HOST)]
    boards = {board.name: board for board in mine.boards}
    configured = [_base(), *(_preset(known, name, boards.get(name)) for name in names)]
    plain = [{"name": name, "configurePreset": name} for name in names]
    tests = [{**each, "output": {"outputOnFailure": True}} for each in plain]
    head = {"version": 6, "vendor": {"baton-lab": {"written": "by ./baton from baton.toml"}}}
    return (
        json.dumps({**head, "configurePresets": configured, "buildPresets": plain, "testPresets": tests}, indent=2)
        + "\n"
    )


def _of_tree(tree: Path) -> list[dict[str, Any]]:
    read: dict[str, Any] = json.loads((tree / PRESETS).read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = read["configurePresets"]
    return found


def _base() -> dict[str, Any]:
    variables = {"CMAKE_EXPORT_COMPILE_COMMANDS": "ON"}
    place = "${sourceDir}/build/${presetName}"
    return {"name": "base", "hidden": True, "generator": "Ninja", "binaryDir": place, "cacheVariables": variables}


def _preset(known: dict[str, dict[str, Any]], name: str, board: Board | None) -> dict[str, Any]:
    """Returns the preset of a board: toolchain and build type as in Baton's own preset of the board."""
    whole = _inherited(known, board.preset if board and board.preset else name)
    variables = {"CMAKE_BUILD_TYPE": whole["cacheVariables"]["CMAKE_BUILD_TYPE"], "BATON_BOARD": name}
    made: dict[str, Any] = {"name": name, "inherits": "base"}
    if "toolchainFile" in whole:
        made["toolchainFile"] = whole["toolchainFile"].replace("${sourceDir}", TREE)
    if board and board.emulator:
        words = [
            f"{TREE}/emulators/run",
            "--board",
            f"{TREE}/boards/{name}/board.toml",
            "--limit-ms",
            str(EMULATED_TEST_MS),
        ]
        variables["CMAKE_CROSSCOMPILING_EMULATOR"] = ";".join(words)
    return {**made, "cacheVariables": variables}


def _inherited(known: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    if name not in known:
        raise BadInputError(f"Baton's {PRESETS} has no preset {name!r}")
    own = known[name]
    below = _inherited(known, own["inherits"]) if "inherits" in own else {"cacheVariables": {}}
    return {**below, **own, "cacheVariables": {**below["cacheVariables"], **own.get("cacheVariables", {})}}


def settings(mine: UserProject) -> str:
    """Returns cmake/project.cmake: the name, the sources, and a macro that finds Baton."""
    config = mine.config
    globs = {
        "APP_SOURCES": config.program.sources,
        "APP_VIRTUAL_TIME_TESTS": config.tests.virtual_time,
        "APP_REAL_TIME_TESTS": config.tests.real_time,
        "APP_BENCHES": config.bench.sources,
    }
    lines = [
        "# Written by ./baton from baton.toml: change that file, then run ./baton build.",
        f"set(APP_NAME {mine.name})",
        *(_glob(name, patterns) for name, patterns in globs.items()),
        "# Baton's tree: headers, toolchain files and the harness of the benchmarks.",
        f"set(APP_TREE ${{CMAKE_SOURCE_DIR}}/{LINK})",
        "",
        "macro(app_find_baton)",
        *(f"  {line}" for line in _finds(config.baton, service=config.project.kind == "service")),
        "endmacro()",
    ]
    return "\n".join(lines) + "\n"


def _glob(name: str, patterns: tuple[str, ...]) -> str:
    places = " ".join(f"${{CMAKE_SOURCE_DIR}}/{pattern}" for pattern in patterns)
    return f"file(GLOB {name} CONFIGURE_DEPENDS {places})" if patterns else f"set({name})"


def _finds(origin: Origin, *, service: bool) -> list[str]:
    """Returns the commands that find Baton. Without ./baton a folder and a git tag are found, too."""
    if origin.package is not None:
        return [f"find_package(baton {origin.package} REQUIRED{' COMPONENTS asio' if service else ''})"]
    boost = ["find_package(Boost 1.81 REQUIRED)"] if service else []
    add = "add_subdirectory({} ${{CMAKE_BINARY_DIR}}/baton EXCLUDE_FROM_ALL)"
    if origin.folder is not None:
        folder = origin.folder if Path(origin.folder).is_absolute() else "${CMAKE_SOURCE_DIR}/" + origin.folder
        other = [f"set(APP_TREE {folder})", add.format("${APP_TREE}")]
    elif origin.git is not None:
        declare = f"FetchContent_Declare(baton GIT_REPOSITORY {origin.git} GIT_TAG {origin.tag} GIT_SHALLOW ON)"
        made = ["FetchContent_MakeAvailable(baton)", "set(APP_TREE ${baton_SOURCE_DIR})"]
        other = ["include(FetchContent)", declare, *made]
    else:
        other = ['message(FATAL_ERROR "Baton is not here yet: run ./baton build")']
    found = [
        "if(EXISTS ${APP_TREE})",
        f"  {add.format('${APP_TREE}')}",
        "else()",
        *(f"  {each}" for each in other),
        "endif()",
    ]
    return [*boost, *found]
