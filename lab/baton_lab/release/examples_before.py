# SPDX-License-Identifier: MIT
"""Compiles the examples of the release before with the headers of this tree.

A name that is taken away, or changed so that its users have to change, stops the compilation of the examples that use
it. A release may give an example up if the changelog says so.
"""

from __future__ import annotations

import re
import subprocess
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from baton_lab.base import descriptions
from baton_lab.base.process import run
from baton_lab.base.project import Project
from baton_lab.builds import compiler_cache
from baton_lab.release import source_tree
from baton_lab.release.trials import TrialError, attempt
from baton_lab.setup import wheel

FILE = Path("packaging/examples_before.toml")
CHANGES = Path("CHANGELOG.md")
EXAMPLES = "examples"
FLAGS = "-O0 -DNDEBUG"
"""Without optimisation, which changes no name and takes most of a compiler's time."""
LIMIT_S = 1800.0
_OBJECT = re.compile(rf"^({EXAMPLES}/CMakeFiles/example_(\w+)\.dir/\2/\S+\.(?:o|obj)): ", re.MULTILINE)
_FAILED = re.compile(rf"^FAILED: {EXAMPLES}/CMakeFiles/example_(\w+)\.dir/", re.MULTILINE)
_TAG = re.compile(r"^v(\d+)\.(\d+)\.(\d+)$", re.MULTILINE)


class Plan(BaseModel):
    """A commit for as long as there is no release, and the examples that are given up, each with a sentence."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base: str = Field(pattern="^[0-9a-f]{40}$")
    given_up: dict[str, str] = {}


@dataclass(frozen=True)
class Compiled:
    """The examples of a build by their names: all, and those that do not compile; and what the compiler said."""

    every: frozenset[str]
    broken: frozenset[str]
    output: str


def plan(root: Path) -> Plan:
    """Reads the description.

    Errors   DescriptionError
    """
    return descriptions.read(root / FILE, Plan)


def base(root: Path, wanted: Plan) -> str:
    """Returns the newest tag of a release before this tree's version, or the commit of the description.

    Errors   TrialError: the repository does not have it.
    """
    own = _numbers(f"v{wheel.version(root)}")
    tags = [
        each for each in map(_numbers, _git(root, "tag", "--merged", "HEAD").split()) if each and own and each < own
    ]
    name = "v{}.{}.{}".format(*max(tags)) if tags else wanted.base
    try:
        return _git(root, "rev-parse", "--verify", f"{name}^{{commit}}").strip()
    except TrialError:
        raise TrialError(
            f"the repository does not have {name}, whose examples have to compile; "
            "fetch its history: git fetch --unshallow --tags"
        ) from None


def lay_out(root: Path, of: str, folder: Path) -> None:
    """Replaces a folder by a copy of this tree with the examples of a commit.

    Errors   TrialError
    """
    source_tree.write(root, folder)
    packed = folder / "examples.tar"
    _git(root, "archive", "--format=tar", f"--output={packed}", of, EXAMPLES)
    with tarfile.open(packed) as archive:
        archive.extractall(folder)  # git wrote it; the Python of Debian 12 has no filter
    packed.unlink()


def compile_examples(folder: Path, preset: str) -> Compiled:
    """Compiles each example that a preset has, and links none.

    Cost     a minute for the host if nothing is in the compiler's cache, and seconds otherwise.
    Errors   TrialError: the preset cannot be configured, or has no example.
    """
    settings = compiler_cache.environment(folder, preset)
    options = [f"-DBATON_PROGRAM_FOLDERS={EXAMPLES}", f"-DCMAKE_CXX_FLAGS_RELWITHDEBINFO={FLAGS}"]
    attempt(["cmake", "--preset", preset, *options], folder, environment=settings)
    ninja = ["ninja", "-C", f"build/{preset}"]
    objects = dict(_OBJECT.findall(attempt([*ninja, "-t", "targets", "all"], folder).output))
    if not objects:
        raise TrialError(f"the preset {preset} has no example to compile")
    done = run([*ninja, "-k", "0", *objects], cwd=folder, limit_s=LIMIT_S, environment=settings)
    broken = frozenset(_FAILED.findall(done.output))
    if not done.ok and not broken:
        raise TrialError(f"{done.tail()}\nninja {done.how}")
    return Compiled(frozenset(objects.values()), broken, _errors(done.output))


def problems(wanted: Plan, found: Sequence[Compiled], changes: str) -> list[str]:
    """Returns what is wrong with the compiled examples, by the examples that are given up and the changelog."""
    every = frozenset[str]().union(*(each.every for each in found))
    broken = frozenset[str]().union(*(each.broken for each in found))
    told = " ".join(changes.split())
    wrong = [
        f"{name} of the release before does not compile with this tree"
        for name in sorted(broken - set(wanted.given_up))
    ]
    for name, sentence in wanted.given_up.items():
        if name not in every:
            wrong.append(f"{FILE}: the release before has no example {name}")
        elif name not in broken:
            wrong.append(f"{FILE}: {name} compiles, so it is not given up")
        if not sentence.strip() or " ".join(sentence.split()) not in told:
            wrong.append(f"{FILE}: {CHANGES} does not have the sentence of {name}")
    return wrong


def check(project: Project, presets: Sequence[str]) -> tuple[int, list[str]]:
    """Returns the number of examples that compile, and what is wrong.

    Context  exclusive in build/release/examples.
    Errors   TrialError, DescriptionError
    """
    wanted, folder = plan(project.root), project.build / "release" / "examples"
    lay_out(project.root, base(project.root, wanted), folder)
    found = [compile_examples(folder, preset) for preset in presets]
    wrong = problems(wanted, found, (project.root / CHANGES).read_text(encoding="utf-8"))
    output = [each.output for each in found if each.output] if wrong else []
    return sum(len(each.every - each.broken) for each in found), [*output, *wrong]


def _errors(output: str) -> str:
    """Returns the lines that name an error, without the others of a compiler."""
    return "\n".join(line for line in output.splitlines() if ": error: " in line or ": fatal error: " in line)


def _numbers(tag: str) -> tuple[int, int, int] | None:
    found = _TAG.match(tag)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _git(root: Path, *words: str) -> str:
    try:
        ended = subprocess.run(
            ["git", *words], cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60
        )
    except (FileNotFoundError, subprocess.TimeoutExpired) as error:
        raise TrialError(f"git {words[0]}: {error}") from None
    if ended.returncode != 0:
        raise TrialError(f"git {' '.join(words)}: {ended.stderr.strip()}")
    return ended.stdout
