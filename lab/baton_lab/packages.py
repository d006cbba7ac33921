# SPDX-License-Identifier: MIT
"""Debian packages: which are needed for what, which are missing, and how they get in.

Context  standard library only: ./baton runs it before there is a virtual environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

DEFAULT_BOARDS = ("host", "nano", "promicro")
TEST_TOOLS = ("ccache", "clang", "clang-format", "clang-tidy", "gcovr")
APT_OPTIONS = ("-y", "--no-install-recommends")
UPDATED_MARK = "BATON_APT_UPDATED"
LOG_TAIL = 15


class SetupError(RuntimeError):
    """What a command needs is not there; the message says what to run."""


def board_packages(root: Path, boards: Iterable[str]) -> list[str]:
    """What the boards need, the host's own tools first: they build every board's runner."""
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
    """Those of the packages that are not installed; none where dpkg is not this system's packager."""
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
    """Installs what is missing, or says which line installs it.

    `for_line` are packages that a later step will need, so that a user gets one line and not two.
    Errors   SetupError: this user may not install, or apt-get failed.
    """
    needed = missing(packages)
    if not needed:
        return
    if os.geteuid() != 0:
        line = install_line(missing(list(dict.fromkeys([*packages, *for_line]))))
        raise SetupError(f"Debian packages are missing; run this, then the same command again: {line}")
    _install(needed, log)
    still = missing(packages)
    if still:
        raise SetupError(f"apt-get ended well but {' '.join(still)} is not there; see {log}")


def install_line(packages: Sequence[str]) -> str:
    """The one line with which a person installs the packages."""
    return " ".join(["sudo apt-get install", *APT_OPTIONS, *packages])


def _install(packages: Sequence[str], log: Path) -> None:
    say(f"installing Debian packages: {' '.join(packages)}")
    began = time.monotonic()
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("", encoding="utf-8")
    if not os.environ.get(UPDATED_MARK):
        _apt(["update"], log)
        os.environ[UPDATED_MARK] = "1"
    if _apt(["install", *APT_OPTIONS, *packages], log) != 0:
        tail = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_TAIL:])
        raise SetupError(
            f"apt-get could not install {' '.join(packages)}; its last output:\n{tail}\n"
            f"Mend the system's apt (network, sources, a broken package), or run it by hand: {install_line(packages)}"
        )
    say(f"installed in {time.monotonic() - began:.0f} s")


def _apt(words: Sequence[str], log: Path) -> int:
    """Runs apt-get with the system's own configuration; its output goes to the log, its progress to a terminal."""
    reader, writer = os.pipe()
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    options = ["-o", "DPkg::Lock::Timeout=300", "-o", f"APT::Status-Fd={writer}"]
    with log.open("ab") as output:
        try:
            process = subprocess.Popen(
                ["apt-get", *options, *words],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment,
                pass_fds=(writer,),
            )
        except FileNotFoundError:
            os.close(reader)
            raise SetupError(f"apt-get is not here; install by your system's means: {' '.join(words)}") from None
        finally:
            os.close(writer)
    with os.fdopen(reader, encoding="utf-8", errors="replace") as progress:
        _show_progress(words[0], progress)
    return process.wait()


def _show_progress(what: str, lines: Iterable[str]) -> None:
    """One line, rewritten; nothing where nobody looks."""
    watched = sys.stderr.isatty()
    for line in lines:
        fields = line.rstrip("\n").split(":", 3)
        if watched and len(fields) == 4:
            print(
                f"\r\033[Kbaton: apt-get {what} {fields[2].split('.')[0]:>3} % {fields[3][:80]}",
                end="",
                file=sys.stderr,
            )
    if watched:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def say(text: str) -> None:
    """A line of progress; standard output belongs to results."""
    print(f"baton: {text}", file=sys.stderr, flush=True)
