# SPDX-License-Identifier: MIT
"""Goes from a bare python3 to the lab: makes a virtual environment, then runs the lab in it.

Context  standard library only; ./baton calls `main` with the system's python3. Any number may start
         at once.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from baton_lab.base.locks import alone
from baton_lab.base.notices import say
from baton_lab.setup import packages, pins
from baton_lab.setup.packages import SetupError

STAMP = ".baton-complete"
TAIL = 15


def main(root: Path) -> None:
    """Completes the set-up and becomes the lab; it does not return."""
    try:
        python = environment(root)
    except (SetupError, OSError) as error:
        print(f"baton: {error}", file=sys.stderr)
        sys.exit(2)
    os.execv(python, [str(python), "-m", "baton_lab", *sys.argv[1:]])


def environment(root: Path) -> Path:
    """Returns the python of a complete virtual environment.

    Cost     two file reads if it is complete; half a minute if it has to be made.
    Errors   SetupError
    """
    venv = root / ".venv"
    wanted = _fingerprint(root, venv)
    if not _complete(venv, wanted):
        with alone(root / "build" / "lab" / "setup.lock", "setting up"):
            if not _complete(venv, wanted):  # another ./baton may have been first
                _ensure_venv_module(root)
                _make(root, venv, wanted)
    return venv / "bin" / "python"


def _fingerprint(root: Path, venv: Path) -> str:
    """Returns a key of the libraries, the interpreter and the place, because scripts have absolute
    paths.

    The interpreter's build is not part of it: installing python3-venv may itself bring a security
    update of python3.
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    parts = [(root / pins.LIBRARIES).read_text(encoding="utf-8"), version, _interpreter(), str(venv)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _interpreter() -> str:
    """Returns the system's python3, also if a person has activated .venv, in which it has another of its names."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


def _complete(venv: Path, wanted: str) -> bool:
    """Tells whether the environment is complete: the stamp is written last, so a killed set-up has
    none.
    """
    stamp = venv / STAMP
    return os.access(venv / "bin" / "python", os.X_OK) and stamp.is_file() and stamp.read_text() == wanted


def _ensure_venv_module(root: Path) -> None:
    if importlib.util.find_spec("ensurepip") is None:
        later = [*packages.board_packages(root, packages.DEFAULT_BOARDS), *packages.TEST_TOOLS]
        packages.ensure(["python3-venv"], root / "build" / "lab" / "apt.log", for_line=later)


def _make(root: Path, venv: Path, wanted: str) -> None:
    say("making .venv with the lab's libraries (once, about half a minute)")
    began = time.monotonic()
    if venv.exists():
        shutil.rmtree(venv)
    _run([_interpreter(), "-m", "venv", str(venv)], "install the Debian package python3-venv")
    python = venv / "bin" / "python"
    _libraries(python, root / pins.LIBRARIES)
    for packages_folder in venv.glob("lib/python3*/site-packages"):
        (packages_folder / "baton_lab.pth").write_text(f"{root / 'lab'}\n", encoding="utf-8")
    (venv / STAMP).write_text(wanted)
    say(f"made .venv in {time.monotonic() - began:.0f} s")


def _libraries(python: Path, requirements: Path) -> None:
    """Installs exactly the wheels whose hashes the file has; pip refuses every other."""
    _run(
        [str(python), "-m", "pip", "install", "--quiet", *pins.INSTALLING, "-r", str(requirements)],
        "see that pip reaches its package index (network, proxy, pip.conf), and that it holds the pinned files",
    )


def _run(command: list[str], remedy: str) -> None:
    ended = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if ended.returncode != 0:
        tail = "\n".join(ended.stdout.splitlines()[-TAIL:])
        raise SetupError(f"{' '.join(command)} failed:\n{tail}\nTo mend it: {remedy}; then run ./baton again.")
