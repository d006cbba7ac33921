# SPDX-License-Identifier: MIT
"""Makes the Conan package in a cache of its own, which no remote fills, and runs its test program."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base.project import Project
from baton_lab.builds import compiler_cache
from baton_lab.release import source_tree
from baton_lab.release.trials import TrialError, attempt
from baton_lab.setup import release_tools, wheel

START = "from conans.conan import run; run()"
RECIPE = Path("packaging/conan")
LIMIT_S = 1800.0


@dataclass(frozen=True)
class Conan:
    """Conan with a home and a copy of the tree below a folder."""

    project: Project
    folder: Path

    @property
    def home(self) -> Path:
        """The folder of Conan's cache."""
        return self.folder / "home"

    @property
    def name(self) -> str:
        """The package with its version."""
        return f"baton/{wheel.version(self.project.root)}"

    def create(self) -> Path:
        """Makes the package from nothing, and builds and runs the program of its test_package; returns its folder.

        Cost     a minute and a half of processor time without a compiler cache.
        Errors   TrialError
        """
        shutil.rmtree(self.folder, ignore_errors=True)
        copy = source_tree.write(self.project.root, self.folder / "tree")
        self._run("profile", "detect")
        words = [str(copy / RECIPE), "--build=baton/*", "--no-remote", "--settings", "compiler.cppstd=gnu20"]
        settings = {
            "tools.cmake.cmaketoolchain:generator": "Ninja",
            "tools.cmake.cmake_layout:test_folder": str(self.folder / "test"),
            "tools.build:jobs": str(os.cpu_count() or 2),
        }
        self._run("create", *words, *(word for key, value in settings.items() for word in ("--conf", f"{key}={value}")))
        made = list(self.home.glob("p/b/*/p"))
        if len(made) != 1:
            raise TrialError(f"{self.home}/p/b has {len(made)} packages, and not one")
        return made[0]

    def save(self, output: Path) -> Path:
        """Writes the package that was made into a file for `conan cache restore`.

        Errors   TrialError
        """
        path = output / f"baton-{wheel.version(self.project.root)}-conan.tgz"
        output.mkdir(parents=True, exist_ok=True)
        self._run("cache", "save", f"{self.name}:*", "--file", str(path))
        return path

    def _run(self, *words: str) -> None:
        cache = compiler_cache.environment(self.folder, "conan")
        packages = str(release_tools.PACKAGES.path(self.project.root))
        environment = {**cache, "CONAN_HOME": str(self.home), "PYTHONPATH": packages}
        command = [str(self.project.root / self.project.python), "-c", START, *words]
        attempt(command, self.folder, environment=environment, limit_s=LIMIT_S)
