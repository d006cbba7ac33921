# SPDX-License-Identifier: MIT
"""Installs pinned Python packages into a folder of build/lab, beside the lab's own libraries in .venv.

They are for a purpose that most people do not have: the documentation site, a release, or Perfetto's format.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base.locks import alone
from baton_lab.base.notices import say
from baton_lab.setup import pins
from baton_lab.setup.packages import SetupError

STAMP = ".baton-complete"
LIMIT_S = 600
TAIL = 15


@dataclass(frozen=True)
class PinnedFolder:
    """A folder of build/lab with the packages of a file of requirements.

    Shape    `of` tells people what the packages are for. Packages of `from_source` have no wheel for each machine; pip
             builds them, with the packages of `requirements` as its tools.
    """

    name: str
    of: str
    requirements: Path
    from_source: Path | None = None

    def path(self, root: Path) -> Path:
        """Returns the folder of the packages, for PYTHONPATH."""
        return root / "build" / "lab" / self.name

    def is_complete(self, root: Path) -> bool:
        """Tells whether the packages are installed as the file of requirements names them."""
        stamp = self.path(root) / STAMP
        return stamp.is_file() and stamp.read_text(encoding="utf-8") == self._fingerprint(root)

    def ensure(self, root: Path) -> None:
        """Installs the packages unless they are there.

        Cost     a quarter of a minute, once.
        Errors   SetupError: the package index does not answer, or a package has another hash.
        """
        if self.is_complete(root):
            return
        with alone(root / "build" / "lab" / "setup.lock", "setting up"):
            if not self.is_complete(root):  # another ./baton may have been first
                self._install(root)

    def _install(self, root: Path) -> None:
        began, target = time.monotonic(), self.path(root)
        say(f"installing the packages {self.of} into build/lab/{self.name}")
        shutil.rmtree(target, ignore_errors=True)
        _pip([*pins.INSTALLING, "-r", str(root / self.requirements)], target)
        if self.from_source is not None:
            _pip([*pins.BUILDING, "-r", str(root / self.from_source)], target)
        (target / STAMP).write_text(self._fingerprint(root), encoding="utf-8")
        say(f"installed in {time.monotonic() - began:.0f} s")

    def _fingerprint(self, root: Path) -> str:
        """Returns a key of the requirements and of the interpreter that the packages are for."""
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        files = [name for name in (self.requirements, self.from_source) if name is not None]
        text = "\0".join((root / name).read_text(encoding="utf-8") for name in files)
        return hashlib.sha256(f"{version}\0{text}".encode()).hexdigest()


def _pip(words: Sequence[str], target: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(target), *words]
    try:
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            timeout=LIMIT_S, env={**os.environ, "PYTHONPATH": str(target)},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise SetupError(f"pip did not end within {LIMIT_S} s; see that it reaches its package index") from None
    if ended.returncode != 0:
        tail = "\n".join(ended.stdout.splitlines()[-TAIL:])
        raise SetupError(
            f"{' '.join(command)} failed:\n{tail}\nTo mend it: see that pip reaches its package index "
            "(network, proxy, pip.conf); then run ./baton again."
        )
