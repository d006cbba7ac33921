# SPDX-License-Identifier: MIT
"""Debian packages that apt could install only if others went: unpacked into build/lab/debian, where CMake finds them.

build/lab/debian/usr            what the packages hold, those that they depend on and this machine lacks among it
build/lab/debian/.baton-complete  the names that were asked for

Context  standard library only: ./baton runs it before there is a virtual environment. No root is needed.
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
"""So many of the packages that would go are named, and the others counted."""


class UnpackError(RuntimeError):
    """A package was not fetched or unpacked; the message holds what the tool said."""


def folder(lab: Path) -> Path:
    """The folder of the unpacked packages in build/lab."""
    return lab / "debian"


def there(lab: Path) -> list[str]:
    """The packages that are unpacked."""
    stamp = folder(lab) / STAMP
    return stamp.read_text(encoding="utf-8").split() if stamp.is_file() else []


def environment(lab: Path) -> dict[str, str]:
    """What tells CMake of them, where there are any: before the system's, and after what the person says."""
    if not there(lab):
        return {}
    said = os.environ.get("CMAKE_PREFIX_PATH", "")
    return {"CMAKE_PREFIX_PATH": ":".join(filter(None, (said, str(folder(lab) / "usr"))))}


def unpack(lab: Path, packages: Sequence[str]) -> None:
    """Fetches the packages with what they depend on and this machine lacks, and unpacks them; says so, and why.

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
    """A link to the library of a package that this machine has leads to the system's file."""
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
