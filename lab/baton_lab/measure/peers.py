# SPDX-License-Identifier: MIT
"""A peer, by its folder's peer.toml: its needs, its build and its runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from baton_lab.base import descriptions
from baton_lab.base.descriptions import DescriptionError
from baton_lab.base.locks import alone
from baton_lab.base.process import printable, run
from baton_lab.base.project import Project
from baton_lab.board.board_files import BadInputError, Part
from baton_lab.builds.presets import BUILD_LIMIT_S, BuildError
from baton_lab.setup import apt, packages, unpacked

PINNED, FREE = "alone", "threads"
"""The groups of a peer's cases: those of one thread, which run pinned to one CPU, and the others."""
RUN_LIMIT_S = 300.0
PIN = "taskset"


class SetUp(Part):
    """The needs of a peer beside the host's own tools.

    These are Debian packages, programs on the PATH, and the line that says how to install the programs.
    """

    packages: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    install: str | None = None


class Peer(Part):
    """Another library, and the suites whose work it does. Its program is called with a suite and a group of cases.

    `scope`: "bare_queue" where it is a queue alone, without a scheduler or a loop; its rows say so.
    """

    name: str = Field(pattern=r"^[a-z0-9_]+$")
    title: str
    suites: tuple[str, ...] = Field(min_length=1)
    build: Literal["cmake", "cargo", "go"]
    setup: SetUp = SetUp()
    scope: Literal["", "bare_queue"] = ""


class PeerError(RuntimeError):
    """A peer's program has no usable result; the message holds its last output."""


def all_of(root: Path) -> list[Peer]:
    """The peers of the tree.

    Errors   BadInputError, which names the file, the line, the key and what is allowed.
    """
    return [_load(path) for path in sorted((root / "bench" / "peers").glob("*/peer.toml"))]


def _load(path: Path) -> Peer:
    try:
        peer = descriptions.read(path, Peer)
    except DescriptionError as error:
        raise BadInputError(str(error)) from error
    if peer.name != path.parent.name:
        raise BadInputError(descriptions.at(path, ("name",), f"is {peer.name!r}, and the folder {path.parent.name!r}"))
    return peer


def lacking(project: Project, peer: Peer) -> str:
    """The needs of a peer that are not installed, with the line that installs them; empty where none is missing."""
    debs = packages.lacking(peer.setup.packages, project.build / "lab")
    if shutil.which(PIN) is None:
        debs = [*debs, "util-linux"]
    tools = [name for name in peer.setup.tools if shutil.which(name) is None]
    said = [f"{' '.join(debs)} not installed: {apt.line(debs)}"] if debs else []
    if tools:
        said.append(f"{' '.join(tools)} not installed: {peer.setup.install or 'see its README.md'}")
    return "; ".join(said)


def build(project: Project, peer: Peer) -> None:
    """Builds a peer into build/peers/NAME; CMake finds the Debian packages that are unpacked in build/lab/debian.

    Context  alone in its build folder: another ./baton waits.
    Errors   BuildError
    """
    source, made = project.root / "bench" / "peers" / peer.name, _made(project, peer)
    jobs = str(os.cpu_count() or 2)
    environment = unpacked.environment(project.build / "lab")
    commands = {
        "cmake": [
            ["cmake", "-S", str(source), "-B", str(made), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
            ["cmake", "--build", str(made), "--parallel", jobs],
        ],
        "cargo": [["cargo", "build", "--release", "--locked", "--jobs", jobs, "--target-dir", str(made)]],
        "go": [["go", "build", "-mod=readonly", "-o", str(made / "peer"), "."]],
    }
    made.mkdir(parents=True, exist_ok=True)
    with alone(made.parent / f"{peer.name}.lock", f"building the peer {peer.name}"):
        for command in commands[peer.build]:
            _do(command, source, environment)


def program(project: Project, peer: Peer) -> Path:
    """The built program of a peer."""
    return _made(project, peer) / ("release/peer" if peer.build == "cargo" else "peer")


def output(project: Project, peer: Peer, suite: str) -> list[str]:
    """Runs a peer through a suite, first what runs in one thread, and returns the lines that it printed.

    Errors   PeerError: it could not be started, hung, crashed, or counted wrong.
    """
    lines: list[str] = []
    for group in (PINNED, FREE):
        words = [*(pinned() if group == PINNED else ()), str(program(project, peer)), suite, group]
        try:
            outcome = run(words, cwd=project.root, limit_s=RUN_LIMIT_S, apart=True)
        except OSError as error:
            raise PeerError(f"{words[0]} could not be started: {error.strerror}") from error
        if not outcome.ok:
            raise PeerError(f"{printable(words)} {outcome.how}; its last output:\n{outcome.tail()}")
        lines += outcome.output.splitlines()
    return lines


def pinned() -> Sequence[str]:
    """Returns the words before a program that pin it to the last CPU of those allowed."""
    return [PIN, "--cpu-list", str(max(os.sched_getaffinity(0)))]


def _made(project: Project, peer: Peer) -> Path:
    return project.build / "peers" / peer.name


def _do(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    try:
        outcome = run(command, cwd=folder, limit_s=BUILD_LIMIT_S, environment=environment)
    except FileNotFoundError as error:
        raise BuildError(f"{command[0]} is not installed") from error
    if not outcome.ok:
        raise BuildError(f"{outcome.tail()}\n{printable(command, folder)} {outcome.how}")
