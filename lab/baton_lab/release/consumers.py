# SPDX-License-Identifier: MIT
"""Tries an installation as its users would: the programs of packaging/debian/tests, which autopkgtest runs as well."""

from __future__ import annotations

import re
from pathlib import Path

from baton_lab.base.project import Project
from baton_lab.release.trials import TrialError, attempt

TESTS = Path("packaging/debian/tests")
_NAME = re.compile(r"^Name: (\S+)$", re.MULTILINE)
_VERSION = re.compile(r"^Version: (\S+)$", re.MULTILINE)


def names(root: Path) -> list[str]:
    """Returns the names of the tests, as the file `control` beside them lists them."""
    listed = re.findall(r"^Tests: (.+)$", (root / TESTS / "control").read_text(encoding="utf-8"), re.MULTILINE)
    return [name for line in listed for name in line.split()]


def try_out(project: Project, prefix: Path, test: str, place: Path) -> None:
    """Builds and runs the programs of a test over an installation that may stand anywhere.

    Errors   TrialError
    """
    place.mkdir(parents=True, exist_ok=True)
    attempt(
        ["sh", str(project.root / TESTS / test)],
        place,
        environment={**_settings(prefix), "AUTOPKGTEST_TMP": str(place)},
    )


def check_pkg_config(prefix: Path, version: str) -> int:
    """Asks pkg-config for the flags of each file of an installation; returns the number of files.

    Errors   TrialError: a file is wrong, needs one that is not there, or has another version.
    """
    files = [path for folder in _folders(prefix) for path in sorted(folder.glob("*.pc"))]
    for path in files:
        attempt(["pkg-config", "--validate", path.stem], prefix, environment=_settings(prefix))
        attempt(["pkg-config", "--cflags", "--libs", path.stem], prefix, environment=_settings(prefix))
        text = path.read_text(encoding="utf-8")
        if _VERSION.findall(text) != [version] or _NAME.findall(text) != [path.stem]:
            raise TrialError(f"{path}: its name and version are to be {path.stem} {version}")
    if not files:
        raise TrialError(f"{prefix} has no file for pkg-config")
    return len(files)


def _folders(prefix: Path) -> list[Path]:
    """Returns the folders with files for pkg-config; Debian has one per processor family."""
    return [path for pattern in ("share", "lib", "lib/*") for path in sorted(prefix.glob(f"{pattern}/pkgconfig"))]


def _settings(prefix: Path) -> dict[str, str]:
    return {"PKG_CONFIG_PATH": ":".join(map(str, _folders(prefix))), "CMAKE_PREFIX_PATH": str(prefix)}
