# SPDX-License-Identifier: MIT
"""Knows the places in the tree, and the facts that are stored with a run."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from baton_lab.base.installed import installed_version, tree
from baton_lab.base.store import DEFAULT_PATH

__all__ = ["ROOT", "Project", "commit", "installed_version", "machine", "source_hash"]

ROOT = tree()


@dataclass(frozen=True)
class Project:
    """A checkout. Tests make one of their own; the commands use this tree.

    A project of a user's own has Baton's tree `beside` it, with boards, emulators and tools.
    """

    root: Path = ROOT
    beside: Path | None = field(default=None, kw_only=True)

    @property
    def tree(self) -> Path:
        """The tree of Baton: the root itself, unless the project is a user's own."""
        return self.beside or self.root

    @property
    def packages(self) -> Path:
        """The folder of the packages that the set-up has installed for the tree."""
        return self.tree / "build" / "lab"

    @property
    def build(self) -> Path:
        """The folder of all products, which holds nothing that is tracked."""
        return self.root / "build"

    @property
    def store(self) -> Path:
        """The file of all runs."""
        return self.root / DEFAULT_PATH

    @property
    def report(self) -> Path:
        """The folder of the report by default."""
        return self.build / "report"

    @property
    def python(self) -> str:
        """The lab's interpreter, by the path that a person at the top of the tree types."""
        path = Path(sys.executable)
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)

    def lock(self, folder: str) -> Path:
        """Returns the lock file of a folder that is built in or written to, by a name for it."""
        return self.build / "lab" / f"{folder}.lock"

    def preset(self, name: str) -> Path:
        """Returns the build folder of a preset."""
        return self.build / name


def commit(root: Path) -> tuple[str, bool]:
    """Returns the commit that is checked out, and whether tracked files differ from it."""
    name = _git(root, "rev-parse", "HEAD")
    return (name or "none", bool(_git(root, "status", "--porcelain", "--untracked-files=no")))


def _git(root: Path, *words: str) -> str:
    try:
        answer = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False, timeout=60)
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""


def machine() -> dict[str, str]:
    """Returns the facts of the machine on which a time depends."""
    facts = {"system": platform.platform(), "cpu": platform.processor() or "unknown", "cpus": str(os.cpu_count())}
    governor = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                facts["cpu"] = line.partition(":")[2].strip()
                break
    if governor.is_file():
        facts["governor"] = governor.read_text(encoding="utf-8").strip()
    facts["load"] = f"{os.getloadavg()[0]:.2f}"
    return facts


def source_hash(root: Path, suite: str) -> str:
    """Returns a hash of a suite's source, of the headers of the suites, and of the harness; of compat its sketches, of
    http its programs.
    """
    suites, harness = root / "bench" / "suites", root / "bench" / "harness"
    files = {*suites.glob(f"{suite}.*"), *suites.glob("*.hpp"), *(suites / suite).rglob("*"), *harness.rglob("*")}
    if suite == "compat":
        files = set((root / "compat" / "aceroutine" / "benchmarks").rglob("*"))
    if suite == "http":
        files = set((root / "bench" / "http").rglob("*"))
    if not suites.is_dir():  # a project of a user's own
        files = {*(root / "bench").glob(f"{suite}.*"), *(root / "src").rglob("*")}
    digest = hashlib.sha256()
    for path in sorted(files):
        if path.is_file() and path.suffix in {".cpp", ".hpp", ".h", ".c", ".ino"}:
            digest.update(f"{path.relative_to(root)}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
