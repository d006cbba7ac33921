# SPDX-License-Identifier: MIT
"""Makes the Debian packages by dpkg-buildpackage, checks them by lintian, and unpacks them for a trial."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from baton_lab.base.project import Project
from baton_lab.release import source_tree
from baton_lab.release.trials import attempt
from baton_lab.setup import wheel

HEADERS_ALONE = "pkg.baton.headers"
"""The build profile that leaves out the package of libraries."""
LIMIT_S = 1800.0


def build(project: Project, folder: Path, *, headers_alone: bool) -> list[Path]:
    """Replaces a folder by the packages, and what they were made of; returns the packages.

    Cost     a quarter of a minute for the headers; minutes for the libraries, each in three variants.
    Errors   TrialError
    """
    shutil.rmtree(folder, ignore_errors=True)
    source = source_tree.write(project.root, folder / f"baton-{wheel.version(project.root)}")
    shutil.copytree(source / source_tree.PACKAGING / "debian", source / "debian")
    command = ["dpkg-buildpackage", "--unsigned-source", "--unsigned-changes", "--build=binary"]
    command += [f"--build-profiles={HEADERS_ALONE}"] if headers_alone else []
    environment = {"DEB_BUILD_OPTIONS": f"parallel={os.cpu_count() or 2}"}
    attempt(command, source, environment=environment, limit_s=LIMIT_S)
    return sorted(folder.glob("*.deb"))


def check(folder: Path) -> None:
    """Lets lintian read the packages of a folder; a warning counts as an error.

    Errors   TrialError
    """
    (changes,) = folder.glob("*.changes")
    words = ["--fail-on", "error,warning", "--allow-root", str(changes)]
    attempt(["lintian", *words], folder)


def unpack(packages: list[Path], root: Path) -> Path:
    """Unpacks packages into a folder, which stands for the root of a system; returns its /usr.

    Errors   TrialError
    """
    root.mkdir(parents=True)
    for package in packages:
        attempt(["dpkg", "-x", str(package), str(root)], root)
    return root / "usr"
