# SPDX-License-Identifier: MIT
"""Installs the pinned packages of the documentation site in build/lab/site, beside the lab's own libraries.

They are many, and only ./baton docs and a whole ./baton test need them, so .venv does not have them.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import time
from pathlib import Path

from baton_lab.base.locks import alone
from baton_lab.base.notices import say
from baton_lab.setup import pins
from baton_lab.setup.packages import SetupError

STAMP = ".baton-complete"
LIMIT_S = 600
TAIL = 15


def folder(root: Path) -> Path:
    """Returns the folder of the packages, for PYTHONPATH."""
    return root / "build" / "lab" / "site"


def is_complete(root: Path) -> bool:
    """Tells whether the packages are installed as the file of requirements names them."""
    stamp = folder(root) / STAMP
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == _fingerprint(root)


def ensure(root: Path) -> None:
    """Installs the packages unless they are there.

    Cost     a quarter of a minute, once.
    Errors   SetupError: the package index does not answer, or a wheel has another hash.
    """
    if is_complete(root):
        return
    with alone(root / "build" / "lab" / "setup.lock", "setting up"):
        if not is_complete(root):  # another ./baton may have been first
            _install(root)


def _install(root: Path) -> None:
    began, target = time.monotonic(), folder(root)
    say("installing the packages of the documentation site into build/lab/site")
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", *pins.INSTALLING, "--target", str(target)]
    try:
        ended = subprocess.run(
            [*command, "-r", str(root / pins.OF_SITE)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            timeout=LIMIT_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise SetupError(f"pip did not end within {LIMIT_S} s; see that it reaches its package index") from None
    if ended.returncode != 0:
        tail = "\n".join(ended.stdout.splitlines()[-TAIL:])
        raise SetupError(
            f"{' '.join(command)} failed:\n{tail}\nTo mend it: see that pip reaches its package index "
            "(network, proxy, pip.conf); then run ./baton again."
        )
    (target / STAMP).write_text(_fingerprint(root), encoding="utf-8")
    say(f"installed in {time.monotonic() - began:.0f} s")


def _fingerprint(root: Path) -> str:
    """Returns a key of the requirements and of the interpreter that the wheels are for."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    text = (root / pins.OF_SITE).read_text(encoding="utf-8")
    return hashlib.sha256(f"{version}\0{text}".encode()).hexdigest()
