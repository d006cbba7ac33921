# SPDX-License-Identifier: MIT
"""The pinned Python packages with the hashes of their files: how they are installed, and how the hashes are found.

lab/requirements.txt          the libraries of the lab, all of which bootstrap installs
lab/board-requirements.txt    the Python packages that boards name; each is installed on demand
lab/site-requirements.txt     the Python packages of the documentation site, installed on demand
lab/release-requirements.txt  the Python packages that only a release needs, installed on demand
lab/release-source-requirements.txt  those among them that have no wheel for each machine
lab/trace-requirements.txt    the Python package that writes Perfetto's format, installed on demand

Context  standard library only: bootstrap imports it before there is a virtual environment.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from baton_lab.base.files import write_atomically
from baton_lab.base.notices import say
from baton_lab.setup.packages import SetupError

LIBRARIES = Path("lab/requirements.txt")
OF_BOARDS = Path("lab/board-requirements.txt")
OF_SITE = Path("lab/site-requirements.txt")
OF_RELEASE = Path("lab/release-requirements.txt")
OF_RELEASE_FROM_SOURCE = Path("lab/release-source-requirements.txt")
OF_TRACE = Path("lab/trace-requirements.txt")
FILES = (LIBRARIES, OF_BOARDS, OF_SITE, OF_RELEASE, OF_TRACE)
INSTALLING = ("--no-input", "--disable-pip-version-check", "--only-binary", ":all:", "--require-hashes")
"""Options of `pip install`: wheels alone, and only those whose hash stands in the file of requirements."""
BUILDING = ("--no-input", "--disable-pip-version-check", "--require-hashes", "--no-deps", "--no-build-isolation",
            "--no-binary", ":all:")  # fmt: skip
"""Options of `pip install` for a package of source text, whose tools and libraries are installed before."""

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MACHINES = ("x86_64", "aarch64")
NEWEST_GLIBC = 36
"""The minor version of Debian 12's C library; a wheel for a newer one does not run there."""

LIMIT_S = 600
_PIN = re.compile(r"^([A-Za-z0-9._-]+==[^\s\\;]+)", re.MULTILINE)
_SEPARATORS = re.compile(r"[-_.]+")

Hashes = dict[str, set[str]]
"""The hashes of a requirement `name==version`."""


def entry(root: Path, requirement: str) -> str:
    """Returns the lines of a board's requirement in the file, with its hashes.

    Errors   SetupError: the file does not have it.
    """
    path = root / OF_BOARDS
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    found = re.search(rf"^{re.escape(requirement)} \\\n(?:.*\\\n)*.*$", text, re.MULTILINE)
    if found is None:
        raise SetupError(f"{OF_BOARDS} has no hashes of {requirement}: add the line {requirement}, then ./baton pin")
    return f"{found.group()}\n"


def pinned(text: str) -> list[str]:
    """Returns the requirements `name==version` of a file, without their hashes."""
    return _PIN.findall(text)


def write(root: Path) -> list[Path]:
    """Writes the hashes of every pinned package anew and returns the files that changed.

    A package that another one needs and that no line pins gets a line of its own.

    Cost     a minute or two, and about as many downloads of metadata as there are packages.
    Errors   SetupError
    """
    changed = []
    for name in FILES:
        old = (root / name).read_text(encoding="utf-8")
        hashes: Hashes = {}
        for python in PYTHONS:
            for machine in MACHINES:
                say(f"{name}: asking for the wheels of CPython {python} on {machine}")
                for requirement, found in _wheels(pinned(old), python, machine).items():
                    hashes.setdefault(requirement, set()).update(found)
        new = laid_out(old, hashes)
        if new != old:
            write_atomically(root / name, new)
            changed.append(name)
    old = (root / OF_RELEASE_FROM_SOURCE).read_text(encoding="utf-8")
    say(f"{OF_RELEASE_FROM_SOURCE}: asking for the archives of sources")
    new = laid_out(old, _sources(pinned(old)))
    if new != old:
        write_atomically(root / OF_RELEASE_FROM_SOURCE, new)
        changed.append(OF_RELEASE_FROM_SOURCE)
    return changed


def laid_out(old: str, hashes: Mapping[str, Iterable[str]]) -> str:
    """Returns a file of these requirements below the comment that the old one begins with, ordered by name."""
    lines = [line for line in old.splitlines() if line.startswith("#")]
    for requirement, found in sorted(hashes.items(), key=lambda pair: pair[0].lower()):
        lines.append(" \\\n".join([requirement, *(f"    --hash=sha256:{each}" for each in sorted(found))]))
    return "\n".join(lines) + "\n"


def _wheels(requirements: Sequence[str], python: str, machine: str) -> Hashes:
    """Asks pip which wheels it would install there; it installs nothing."""
    names = {_plain(requirement.partition("==")[0]): requirement for requirement in requirements}
    platforms = [f"manylinux_2_{minor}_{machine}" for minor in range(NEWEST_GLIBC, 4, -1)]
    platforms += [f"manylinux{year}_{machine}" for year in ("2014", "2010", "1")]
    words = [*INSTALLING[:-1], "--implementation", "cp", "--python-version", python]
    words += [word for name in platforms for word in ("--platform", name)]
    words += [word for abi in (f"cp{python.replace('.', '')}", "abi3", "none") for word in ("--abi", abi)]
    installs = _dry_run([*words, *requirements], f"pip finds no wheels for CPython {python} on {machine}")
    return {_requirement(each, names): {_hash(each)} for each in installs}


def _sources(requirements: Sequence[str]) -> Hashes:
    """Asks pip which archives of sources it would build, with tools of its own choice."""
    if not requirements:
        return {}
    words = ["--no-input", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:", *requirements]
    names = {_plain(requirement.partition("==")[0]): requirement for requirement in requirements}
    return {_requirement(each, names): {_hash(each)} for each in _dry_run(words, "pip finds no sources")}


Install = Mapping[str, Mapping[str, Any]]


def _dry_run(words: Sequence[str], failure: str) -> list[Install]:
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        ended = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--ignore-installed"]
            + ["--report", str(report), "--target", str(Path(scratch) / "target"), *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            timeout=LIMIT_S,
        )  # fmt: skip
        if ended.returncode != 0:
            raise SetupError(f"{failure}:\n{ended.stdout.strip()}")
        found: list[Install] = json.loads(report.read_text(encoding="utf-8"))["install"]
    return found


def _requirement(install: Install, names: Mapping[str, str]) -> str:
    found = install["metadata"]
    return names.get(_plain(found["name"])) or f"{found['name']}=={found['version']}"


def _hash(install: Install) -> str:
    hashes: Mapping[str, str] = install["download_info"].get("archive_info", {}).get("hashes", {})
    if "sha256" not in hashes:
        raise SetupError(f"the package index does not say the sha256 of {install['metadata']['name']}")
    return hashes["sha256"]


def _plain(name: str) -> str:
    return _SEPARATORS.sub("-", name).lower()
