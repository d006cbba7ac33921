# SPDX-License-Identifier: MIT
"""Knows the Debian packages: which are needed and missing; installs them.

Context  standard library only: ./baton runs it before there is a virtual environment.
"""

from __future__ import annotations

import os
import subprocess
import time
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

from baton_lab.base.notices import say
from baton_lab.setup import apt, unpacked

DEFAULT_BOARDS = ("host", "nano", "promicro")
JSON_LIBRARIES = ("rapidjson-dev", "libboost-json1.81-dev", "libsimdjson-dev")
"""The libraries that the suite service serializes with."""
NETWORK_LIBRARIES = ("libspdlog-dev", *JSON_LIBRARIES, "prometheus-cpp-dev", "libsystemd-dev")
"""The libraries without which the build leaves the programs of components out."""
HTTP_TOOLS = ("libboost1.81-dev", *NETWORK_LIBRARIES, "wrk", "hey")
"""The needs of ./baton bench --http alone; wrk and hey are the load."""
TEST_TOOLS = (
    *("ccache", "clang", "clang-tidy", "gcovr", "libboost1.81-dev"),
    # The module components needs these libraries.
    *(*NETWORK_LIBRARIES, "libssl-dev"),
    "libclang-rt-dev",  # libFuzzer, for the fuzzers of components
    "chromium",  # shows the web page of a service
    "doxygen",  # reads the headers for the documentation site
    *("curl", "openssl"),  # talk to servers and clients over TLS
    "gdb",  # reads a stack of the kernel's tasks
    "systemd",  # reads the files of a unit, and passes a socket to its program
)
UPDATED_MARK = "BATON_APT_UPDATED"


class SetupError(RuntimeError):
    """A command lacks a package; the message has the command to run."""


def board_packages(root: Path, boards: Iterable[str]) -> list[str]:
    """Returns the boards' packages, the host's own tools first: they build every board's runner."""
    names: dict[str, None] = {}
    for board in dict.fromkeys(["host", *boards]):
        path = root / "boards" / board / "board.toml"
        if path.is_file():
            names.update(dict.fromkeys(_read_packages(path)))
    return list(names)


def _read_packages(path: Path) -> list[str]:
    try:
        packages = tomllib.loads(path.read_text(encoding="utf-8")).get("setup", {}).get("packages", [])
    except (tomllib.TOMLDecodeError, AttributeError) as error:
        raise SetupError(f"{path}: {error}") from error
    if not isinstance(packages, list) or not all(isinstance(name, str) for name in packages):
        raise SetupError(f"{path}: [setup] packages is to be a list of Debian package names")
    return packages


def missing(packages: Sequence[str]) -> list[str]:
    """Returns the packages that are not installed; none if this system does not use dpkg."""
    if not packages:
        return []
    try:
        answer = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\\n", *packages],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return []
    lines = [line.split() for line in answer.stdout.splitlines()]
    installed = {words[0] for words in lines if words[1:] == ["installed"]}
    return [name for name in packages if name not in installed]


def ensure(packages: Sequence[str], log: Path, for_line: Sequence[str] = ()) -> None:
    """Installs the missing packages, as root or by sudo, or prints the line that installs them.

    A package that would remove another one of this machine is not installed but unpacked, beside
    the log in `debian`. `for_line` are packages that a later step will need, so that a user gets
    one line and not two.

    Errors   SetupError: this user may not install, or apt-get failed.
    """
    lab = log.parent
    needed = lacking(packages, lab)
    if not needed:
        return
    by = apt.way()
    if by.possible:
        _refresh(by, needed, log)
    if clashing := apt.conflicting(needed):
        _unpack(lab, clashing)
        needed = [name for name in needed if name not in clashing]
    if not needed:
        return
    if not by.possible:
        every = lacking(list(dict.fromkeys([*packages, *for_line])), lab)
        price = apt.cost(every)
        raise SetupError(
            f"Debian packages are missing{f' ({price})' if price else ''}, and there is no sudo here; "
            f"run this as root, then the same command again: {apt.line(every, sudo=False)}"
        )
    _install(by, needed, log)
    still = lacking(packages, lab)
    if still:
        raise SetupError(f"apt-get ended well but {' '.join(still)} is not there; see {log}")


install_line = apt.line


def lacking(packages: Sequence[str], lab: Path) -> list[str]:
    """Returns the packages that are neither installed nor unpacked in build/lab."""
    there = unpacked.there(lab)
    return [name for name in missing(packages) if name not in there]


def _unpack(lab: Path, packages: Sequence[str]) -> None:
    try:
        unpacked.unpack(lab, packages)
    except unpacked.UnpackError as error:
        raise SetupError(
            f"{' '.join(packages)} could not be unpacked: {error}\nThen run the same command again"
        ) from None


def _refresh(by: apt.Way, packages: Sequence[str], log: Path) -> None:
    """Refreshes apt's lists, once per command."""
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("", encoding="utf-8")
    if by.prefix:
        asks = "may ask for your password" if by.prefix == ("sudo",) else "has no terminal to ask for a password on"
        say(f"not root, so apt-get runs by way of {' '.join(by.prefix)}, which {asks}")
    if not os.environ.get(UPDATED_MARK):
        say("refreshing apt's package lists")
        _apt(by, ["update"], packages, log, must=False)
        os.environ[UPDATED_MARK] = "1"


def _install(by: apt.Way, packages: Sequence[str], log: Path) -> None:
    began = time.monotonic()
    price = apt.cost(packages)
    say(f"installing Debian packages: {' '.join(packages)}{f' ({price})' if price else ''}")
    if price and price.disk_bytes + price.download_bytes > apt.free_bytes():
        raise SetupError(
            f"the disk is too full: {' '.join(packages)} need {apt.readable(price.disk_bytes)} there and "
            f"{apt.readable(price.download_bytes)} to download, and {apt.readable(apt.free_bytes())} are free"
        )
    _apt(by, ["install", *apt.OPTIONS, *packages], packages, log, must=True)
    say(f"installed in {time.monotonic() - began:.0f} s")


def _apt(by: apt.Way, words: Sequence[str], packages: Sequence[str], log: Path, *, must: bool) -> None:
    """Runs apt-get; only an update of lists may fail, because they may serve as they are."""
    try:
        code = apt.run(by, words, log)
    except FileNotFoundError:
        raise SetupError(f"apt-get is not here; install by your system's means: {' '.join(packages)}") from None
    if code != 0 and (must or apt.was_refused(log)):
        raise SetupError(
            f"apt-get could not install {' '.join(packages)}: {apt.complaint(log)}\n"
            f"Then run the same command again, or install by hand: {apt.line(packages)}"
        )
