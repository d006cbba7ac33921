# SPDX-License-Identifier: MIT
"""Runs apt-get as root or by sudo: the cost of an installation, the installation, and its errors.

Context  standard library only: ./baton runs it before there is a virtual environment.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base.notices import say

PLAIN = ("-y", "--no-install-recommends")
OPTIONS = (*PLAIN, "--no-remove")
"""An installation removes nothing from the user's machine."""
LOCK_WAIT_S = 300
LOG_TAIL = 15
QUARTERS = (25, 50, 75)
_SIZE = re.compile(r"^'[^']*' \S+ (\d+) ", re.MULTILINE)
_SPACE = re.compile(r"^After this operation, ([\d.]+) (\w?B) of additional disk space will be used", re.MULTILINE)
_REMOVED = re.compile(r"^Remv (\S+)", re.MULTILINE)
_INSTALLED = re.compile(r"^Inst (\S+) \((\S+)", re.MULTILINE)
_WOULD_REMOVE = "remove is disabled"
_UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}
_STATUS = re.compile(r"^(?:dl|pm)status:[^:]*:([\d.]+):(.*)")
_CAUSES = (
    (r"Could not get lock|Unable to (acquire|lock)", "another package manager is at work; wait until it has ended"),
    (r"No space left on device|enough free space", "the disk is full; free some space (apt-get clean helps)"),
    (
        r"Temporary failure resolving|Could not resolve|Could not connect|Connection (failed|refused|timed out)"
        r"|Failed to fetch|Unable to connect",
        "the package archive cannot be reached; see to the network, a proxy, or apt's sources",
    ),
    (r"Unable to locate package|has no installation candidate", "apt's sources do not have it; it is Debian 12's"),
    (
        r"dpkg was interrupted|Unmet dependencies|held broken",
        "an earlier installation is unfinished: apt-get -f install",
    ),
    (r"password is required|not allowed to|not in the sudoers|may not run sudo", "sudo refuses; run the line by hand"),
)


@dataclass(frozen=True)
class Cost:
    """The cost of an installation, dependencies included."""

    packages: int
    download_bytes: int
    disk_bytes: int

    def __str__(self) -> str:
        """Formats the cost for a person who decides whether to wait."""
        down, disk = readable(self.download_bytes), readable(self.disk_bytes)
        return f"{self.packages} packages, {down} to download, {disk} on disk"


@dataclass(frozen=True)
class Way:
    """This user's way to run apt-get: the words before it, and whether it is possible at all."""

    prefix: tuple[str, ...] = ()
    possible: bool = True


def way() -> Way:
    """Chooses root, else sudo; without a terminal for a password, sudo only if it needs none."""
    if os.geteuid() == 0:
        return Way()
    if not shutil.which("sudo"):
        return Way(possible=False)
    return Way(("sudo",) if has_terminal() else ("sudo", "-n"))


def has_terminal() -> bool:
    """Tells whether sudo can ask for a password."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def line(packages: Sequence[str], *, sudo: bool = True) -> str:
    """Returns the one line with which a person installs the packages."""
    return " ".join([*(["sudo"] if sudo else []), "apt-get install", *OPTIONS, *packages])


@dataclass(frozen=True)
class Change:
    """The changes that apt would make: packages to install, as apt-get download takes them, and to
    remove.
    """

    installed: tuple[str, ...]
    removed: tuple[str, ...]


def simulate(packages: Sequence[str]) -> Change | None:
    """Returns the changes of an installation that may remove packages; None if apt does not
    tell.
    """
    answer = _simulated([*PLAIN, *packages])
    if answer is None or answer.returncode != 0:
        return None
    coming = tuple(f"{name}={version}" for name, version in _INSTALLED.findall(answer.stdout))
    return Change(coming, tuple(_REMOVED.findall(answer.stdout)))


def conflicting(packages: Sequence[str]) -> list[str]:
    """Returns those of the packages that, beside the others, would remove a package of this
    machine.
    """
    if not _would_remove(packages):
        return []
    fitting: list[str] = []
    for name in packages:
        if not _would_remove([*fitting, name]):
            fitting.append(name)
    return [name for name in packages if name not in fitting]


def _would_remove(packages: Sequence[str]) -> bool:
    answer = _simulated([*OPTIONS, *packages])
    return answer is not None and answer.returncode != 0 and _WOULD_REMOVE in answer.stdout


def _simulated(words: Sequence[str]) -> subprocess.CompletedProcess[str] | None:
    command = ["apt-get", "install", "--simulate", "-o", "Debug::NoLocking=1", *words]
    try:
        return subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=_environment()
        )
    except FileNotFoundError:
        return None


def cost(packages: Sequence[str]) -> Cost | None:
    """Returns the cost of an installation; None if apt does not tell, because its lists
    lack one.
    """
    command = ["apt-get", "install", "--print-uris", "-o", "Debug::NoLocking=1", *OPTIONS, *packages]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())
    except FileNotFoundError:
        return None
    sizes = [int(size) for size in _SIZE.findall(answer.stdout)]
    space = _SPACE.search(answer.stdout)
    if answer.returncode != 0 or not sizes:
        return None
    disk = float(space.group(1)) * _UNITS.get(space.group(2), 1) if space else 0.0
    return Cost(len(sizes), sum(sizes), round(disk))


def free_bytes() -> int:
    """Returns the free bytes of the file system for packages."""
    return shutil.disk_usage("/usr").free


def readable(size: float) -> str:
    """Formats bytes like apt."""
    for unit in ("B", "kB", "MB"):
        if size < 999.5:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def run(by: Way, words: Sequence[str], log: Path) -> int:
    """Runs apt-get with the system's own configuration; logs its output, shows its progress.

    Errors   FileNotFoundError: there is no apt-get
    """
    options = ["-o", f"DPkg::Lock::Timeout={LOCK_WAIT_S}", "-o", "APT::Status-Fd=1"]
    process = subprocess.Popen(
        [*by.prefix, "apt-get", *options, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=_environment(),
        text=True,
        errors="replace",
    )
    assert process.stdout is not None
    with log.open("a", encoding="utf-8") as output:
        for text in _without_progress(words[0], process.stdout):
            output.write(text)
    return process.wait()


def _environment() -> dict[str, str]:
    """Returns the environment of apt-get.

    sudo drops DEBIAN_FRONTEND, which does not matter: debconf asks nothing without a standard
    input.
    """
    return {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}


def _without_progress(what: str, lines: Iterable[str]) -> Iterable[str]:
    """Returns the lines without progress, which is shown: one rewritten line, or one line per
    quarter.
    """
    watched = sys.stderr.isatty()
    shown = 0
    for text in lines:
        status = _STATUS.match(text)
        if status is None:
            yield text
            if text.startswith("Waiting for cache lock"):
                say(f"{text.strip()}; waiting up to {LOCK_WAIT_S} s")
            continue
        percent = int(float(status.group(1)))
        if watched:
            print(f"\r\033[Kbaton: apt-get {what} {percent:>3} % {status.group(2)[:80]}", end="", file=sys.stderr)
        elif what == "install" and text.startswith("pm"):
            for quarter in QUARTERS:
                if shown < quarter <= percent:
                    say(f"apt-get {what} {quarter} %")
                    shown = quarter
    if watched:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def was_refused(log: Path) -> bool:
    """Tells whether sudo refused to start it."""
    return bool(re.search(r"^sudo: |is not in the sudoers", log.read_text(encoding="utf-8", errors="replace"), re.M))


def complaint(log: Path) -> str:
    """Explains a failure of apt-get, in a sentence if its cause is known, with its last output."""
    text = log.read_text(encoding="utf-8", errors="replace")
    tail = "\n".join(text.splitlines()[-LOG_TAIL:])
    for pattern, cause in _CAUSES:
        if re.search(pattern, text):
            return f"{cause}. Its last output:\n{tail}"
    return f"its last output:\n{tail}"
