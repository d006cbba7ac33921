# SPDX-License-Identifier: MIT
"""Unpacks Debian packages that apt could install only by removing others, for CMake.

build/lab/debian/usr              the packages' files, with the dependencies that this machine lacks
build/lab/debian/.baton-complete  the names of the requested packages

Context  standard library only: ./baton runs it before there is a virtual environment. It needs no
         root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from baton_lab.base.locks import alone
from baton_lab.base.notices import say
from baton_lab.setup import apt

STAMP = ".baton-complete"
NAMED = 3
"""The number of packages to be removed that a message names; it counts the others."""


class UnpackError(RuntimeError):
    """A package was not fetched or unpacked; the message has the tool's output."""


def folder(lab: Path) -> Path:
    """Returns the folder of the unpacked packages in build/lab."""
    return lab / "debian"


def there(lab: Path) -> list[str]:
    """Returns the unpacked packages."""
    stamp = folder(lab) / STAMP
    return stamp.read_text(encoding="utf-8").split() if stamp.is_file() else []


def environment(lab: Path) -> dict[str, str]:
    """Returns the environment that shows them to CMake: before the system's, after the person's
    own.
    """
    if not there(lab):
        return {}
    said = os.environ.get("CMAKE_PREFIX_PATH", "")
    return {"CMAKE_PREFIX_PATH": ":".join(filter(None, (said, str(folder(lab) / "usr"))))}


def unpack(lab: Path, packages: Sequence[str]) -> None:
    """Fetches and unpacks the packages and their missing dependencies; tells the reason.

    Errors   UnpackError
    """
    with alone(lab / "debian.lock", "unpacking Debian packages"):
        wanted = [name for name in packages if name not in there(lab)]  # another ./baton may have been first
        if not wanted:
            return
        change = apt.simulate(wanted)
        if change is None:
            raise UnpackError(f"apt-get does not say what {' '.join(wanted)} need; refresh its lists: apt-get update")
        more = len(change.removed) - NAMED
        names = " ".join(change.removed[:NAMED]) + (f" and {more} more" if more > 0 else "")
        say(f"unpacking into build/lab/debian, because to install them apt would remove {names}: {' '.join(wanted)}")
        place = folder(lab)
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="debian-", dir=lab) as scratch:
            _do(["apt-get", "download", *change.installed], Path(scratch))
            for file in sorted(Path(scratch).glob("*.deb")):
                _do(["dpkg", "-x", str(file), str(place)], Path(scratch))
        _mend_links(place)
        (place / STAMP).write_text("".join(f"{name}\n" for name in [*there(lab), *wanted]), encoding="utf-8")
        say(f"unpacked {len(change.installed)} packages; nothing of this machine was removed")


def _mend_links(place: Path) -> None:
    """Leads links to libraries of packages that this machine has to the system's files."""
    for link in place.rglob("*"):
        if link.is_symlink() and not link.exists():
            target = Path("/") / link.parent.relative_to(place) / link.readlink()
            if target.exists():
                link.unlink()
                link.symlink_to(target)


def _do(command: Sequence[str], place: Path) -> None:
    if shutil.which(command[0]) is None:
        raise UnpackError(f"{command[0]} is not here")
    ended = subprocess.run(
        command, cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", check=False,
    )  # fmt: skip
    if ended.returncode != 0:
        tail = "\n".join(ended.stdout.splitlines()[-apt.LOG_TAIL :])
        raise UnpackError(f"{' '.join(command)} failed:\n{tail}")
