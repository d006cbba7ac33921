# SPDX-License-Identifier: MIT
"""Writes docs/licences.md: what Baton depends on, and the licence of each, from its own description.

A program's libraries are those that the sources of the modules include; Debian's database says whose headers they are,
and the machine-readable copyright of each package its licence. The lab's packages are the pinned ones.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, DistributionFinder, MetadataPathFinder
from pathlib import Path

from baton_lab.base.modules import SOURCE_ENDS
from baton_lab.setup import pins, release_tools, site_packages, trace_packages

PAGE = Path("docs/licences.md")
NPM = Path("emulators/rp2040js/package-lock.json")
INCLUDES = Path("/usr/include")
DOCUMENTS = Path("/usr/share/doc")
OF_COMPILERS = ("libc6-dev", "linux-libc-dev")
"""Their headers come with each compiler for Linux."""
LONGEST = 60
NOT_SAID = "UNKNOWN"
"""Older tools of Python write this where a package says nothing."""
PURPOSES = (
    (pins.LIBRARIES, "lab"),
    (pins.OF_BOARDS, "boards"),
    (pins.OF_SITE, "site"),
    (pins.OF_TRACE, "traces"),
    (pins.OF_RELEASE, "release"),
    (pins.OF_RELEASE_FROM_SOURCE, "release"),
)
HEAD = """# Licences of dependencies

Baton is under the MIT licence ([LICENSE](../LICENSE)); [REUSE.toml](../REUSE.toml) has licence and copyright of each
file. Nothing below is a part of Baton's packages, but for the files of others that REUSE.toml names. `./baton licences`
writes this page from the descriptions of the installed packages, and `./baton test --no-skips` compares them.
"""
_INCLUDE = re.compile(r"^\s*#\s*include <([^>]+)>", re.MULTILINE)
_ROW = re.compile(r"^\| (\S+) \| (\S+) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
_OF_ALL = re.compile(r"^Files: *\*$.*?^License: *(.+?)$", re.MULTILINE | re.DOTALL)
_CLASS = "License :: OSI Approved :: "


class UnknownLicenceError(ValueError):
    """A package says nothing of its licence, or is not installed."""


def write(root: Path) -> Path:
    """Writes the page and returns its path.

    Errors   UnknownLicenceError
    """
    path = root / PAGE
    path.write_text(text(root), encoding="utf-8")
    return path


def problems(root: Path) -> list[str]:
    """Names the lines of the page that differ from what is installed."""
    try:
        wanted = text(root).splitlines()
    except UnknownLicenceError as error:
        return [str(error)]
    there = (root / PAGE).read_text(encoding="utf-8").splitlines() if (root / PAGE).is_file() else []
    lines = [f"{PAGE} lacks: {line}" for line in wanted if line not in there]
    lines += [f"{PAGE} has, and should not: {line}" for line in there if line not in wanted]
    return lines or ([] if wanted == there else [f"{PAGE}: its lines are in another order"])


def text(root: Path) -> str:
    """Returns the page.

    Errors   UnknownLicenceError
    """
    parts = [
        HEAD,
        "## Libraries of programs\n",
        "A program links those of the modules that it uses. Other modules need a compiler and its libraries alone.\n",
        _table(("module", "Debian package", "licence"), _libraries(root)),
        "## Python packages\n",
        "The lab needs those for `lab`; a purpose besides is installed when a command needs it.\n",
        _table(("package", "version", "licence", "for"), _python(root)),
        "## npm packages\n",
        "The simulator of the RP2040 needs them.\n",
        _table(("package", "version", "licence"), _npm(root)),
    ]
    return "\n".join(parts)


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _libraries(root: Path) -> list[tuple[str, str, str]]:
    """Returns each pair of a module and a Debian package whose headers it includes."""
    found = {(module, package) for module, header in _included(root) for package in _owner(header)}
    return [(module, package, debian_licence(package)) for module, package in sorted(found)]


def _included(root: Path) -> Iterator[tuple[str, Path]]:
    """Yields the module and the path of each header of the system that a source of it includes."""
    modules = json.loads((root / "modules.json").read_text(encoding="utf-8"))["modules"]
    folders = [*(row["folder"] for row in modules.values()), "ports/host", "families/hosted"]
    for folder in dict.fromkeys(folders):
        for path in sorted((root / folder).rglob("*")):
            within = path.relative_to(root / folder).parts
            if path.suffix not in SOURCE_ENDS or {"tests", "fuzz"}.intersection(within):
                continue
            name = {("src", "tls"): "tls"}.get(within[:2], "network" if within[0] == "src" else folder)
            for header in _INCLUDE.findall(path.read_text(encoding="utf-8")):
                if "/" in header or header.endswith(".h"):
                    yield (name if folder == "components" else folder), INCLUDES / header


def _owner(header: Path) -> list[str]:
    """Returns the Debian package of a header; none if it is a compiler's, another system's or ours."""
    if not header.is_file():
        return []
    if header not in _owners:
        answer = subprocess.run(["dpkg", "-S", str(header)], capture_output=True, text=True, check=False, timeout=60)
        names = [name.strip().partition(":")[0] for name in answer.stdout.partition(": ")[0].split(",")]
        _owners[header] = [name for name in names if name and name not in OF_COMPILERS]
    return _owners[header]


_owners: dict[Path, list[str]] = {}


def debian_licence(package: str, documents: Path = DOCUMENTS) -> str:
    """Returns what the copyright of a Debian package says of all files that nothing else is said of.

    Errors   UnknownLicenceError
    """
    path = documents / package / "copyright"
    found = _OF_ALL.search(path.read_text(encoding="utf-8")) if path.is_file() else None
    if found is None:
        raise UnknownLicenceError(f"{path} has no licence for Files: *")
    return found[1].strip()


def _python(root: Path) -> list[tuple[str, str, str, str]]:
    """Returns the pinned packages. One that is not installed keeps the licence that the page has for its version."""
    page = (root / PAGE).read_text(encoding="utf-8") if (root / PAGE).is_file() else ""
    kept = {(name, version): licence for name, version, licence in _ROW.findall(page)}
    purposes: dict[tuple[str, str], list[str]] = {}
    for file, purpose in PURPOSES:
        for requirement in pins.pinned((root / file).read_text(encoding="utf-8")):
            name, version = requirement.split("==")
            purposes.setdefault((name, version), []).append(purpose)
    rows = []
    for (name, version), whose in sorted(purposes.items(), key=lambda pair: (pair[0][0].lower(), pair[0][1])):
        there = _installed(root, name, version)
        licence = python_licence(there) if there else kept.get((name, version))
        if not licence:
            raise UnknownLicenceError(
                f"{name}=={version} is not installed here: ./baton setup --all, or {PAGE} by hand"
            )
        rows.append((name, version, licence, " ".join(dict.fromkeys(whose))))
    return rows


def _installed(root: Path, name: str, version: str) -> Distribution | None:
    """Returns a package of this version, of the lab or in the folders that the set-up installs into."""
    folders = [release_tools.PACKAGES.path(root), site_packages.folder(root), trace_packages.PACKAGES.path(root)]
    folders += [root / "build" / "lab" / "python", *(root / ".venv").glob("lib/python3*/site-packages")]
    asked = DistributionFinder.Context(name=name, path=[str(folder) for folder in folders])
    found = (each for each in MetadataPathFinder.find_distributions(asked) if each.version == version)
    return next(found, None)


def python_licence(of: Distribution) -> str:
    """Returns the licence of a package: the expression of its metadata, a short text, or a class of the index.

    Errors   UnknownLicenceError
    """
    named = [each for each in of.metadata.get_all("License") or [] if each.strip() != NOT_SAID]
    classes = [each.removeprefix(_CLASS) for each in of.metadata.get_all("Classifier") or [] if each.startswith(_CLASS)]
    expressions = of.metadata.get_all("License-Expression") or []
    short = [each.strip() for each in named if each.strip() and len(each) <= LONGEST and "\n" not in each.strip()]
    for found in (expressions, short, classes):
        if found:
            return ", ".join(found).replace("|", "/")
    raise UnknownLicenceError(f"{of.metadata['Name']} {of.version} says nothing of its licence")


def _npm(root: Path) -> list[tuple[str, str, str]]:
    """Returns the packages of the lock file, which has the licence of each."""
    packages = json.loads((root / NPM).read_text(encoding="utf-8"))["packages"]
    rows = []
    for path, of in sorted(packages.items()):
        name = path.rpartition("node_modules/")[2]
        if not name:
            continue
        if "license" not in of:
            raise UnknownLicenceError(f"{NPM}: {name} has no licence")
        rows.append((name, of["version"], of["license"]))
    return rows
