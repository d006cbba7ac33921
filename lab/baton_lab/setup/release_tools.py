# SPDX-License-Identifier: MIT
"""The tools that only a release needs: Conan and reuse from PyPI, actionlint by Go, the builders of Debian packages.

A whole ./baton test installs them, in build/lab/release as far as they are not Debian's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from baton_lab.base.locks import alone
from baton_lab.base.notices import say
from baton_lab.setup import packages, pins
from baton_lab.setup.packages import SetupError
from baton_lab.setup.pinned_folder import PinnedFolder

PACKAGES = PinnedFolder("release", "of a release", pins.OF_RELEASE, pins.OF_RELEASE_FROM_SOURCE)
OF_DEBIAN = ("debhelper", "lintian", "pkg-config")
GO = "golang-go"
"""Debian's Go, for a machine that has none."""
ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7"
LIMIT_S = 900


def debian_packages() -> list[str]:
    """Returns the Debian packages that the tools need here."""
    return [*OF_DEBIAN, *([] if shutil.which("go") else [GO])]


def actionlint(root: Path) -> Path:
    """Returns the program that checks the files of GitHub workflows; its folder has the version as its name."""
    return root / "build" / "lab" / "go" / ACTIONLINT.partition("@")[2] / "actionlint"


def missing(root: Path) -> list[str]:
    """Returns the tools that are not there."""
    lacking = packages.lacking(debian_packages(), root / "build" / "lab")
    lacking += [] if PACKAGES.is_complete(root) else [str(pins.OF_RELEASE)]
    return lacking + ([] if actionlint(root).is_file() else [ACTIONLINT])


def ensure(root: Path) -> None:
    """Installs the tools unless they are there.

    Cost     two minutes, once; 150 Debian packages, most of them for lintian.
    Errors   SetupError: a registry does not answer, or a package has another hash.
    """
    packages.ensure(debian_packages(), root / "build" / "lab" / "apt.log")
    PACKAGES.ensure(root)
    if not actionlint(root).is_file():
        with alone(root / "build" / "lab" / "setup.lock", "setting up"):
            _install_actionlint(root)


def _install_actionlint(root: Path) -> None:
    """Builds it; Go compares its hash, and those of its libraries, with its public database of sums."""
    say(f"building {ACTIONLINT}")
    folder = actionlint(root).parent
    environment = {**os.environ, "GOBIN": str(folder)}
    try:
        ended = subprocess.run(
            ["go", "install", ACTIONLINT],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            timeout=LIMIT_S, env=environment,
        )  # fmt: skip
    except (FileNotFoundError, subprocess.TimeoutExpired) as error:
        raise SetupError(f"go install {ACTIONLINT}: {error}") from None
    if ended.returncode != 0:
        raise SetupError(f"go install {ACTIONLINT} failed:\n{ended.stdout.strip()}\nSee that Go reaches its proxy.")
