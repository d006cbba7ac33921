# SPDX-License-Identifier: MIT
"""Starts a unit's program as systemd does. systemd_unit_test.py PROGRAM FOLDER ANALYZE ACTIVATE

FOLDER has the unit's files. systemd itself needs to be the first process of a machine, so the test
reads the files by systemd-analyze, and runs the program by systemd-socket-activate.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PATIENCE_S = 20.0
UNITS = ("weather.service", "weather.socket")
QUESTION = b"GET /weather HTTP/1.1\r\nHost: localhost\r\n\r\n"


def complaints(analyze: str, folder: Path) -> list[str]:
    """Returns what systemd says of the unit's files."""
    units = [str(folder / name) for name in UNITS]
    read = subprocess.run([analyze, "verify", *units], check=False, capture_output=True, text=True, timeout=PATIENCE_S)
    said = [line for line in read.stderr.splitlines() if "weather." in line]
    return said or ([read.stderr] if read.returncode != 0 else [])


def check_files(program: str, folder: Path, analyze: str) -> list[str]:
    """Lets systemd read the unit's files, with the program in its place. Returns the program's arguments."""
    service = (folder / "weather.service").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        shutil.copy(folder / "weather.socket", place)
        service = service.replace("/usr/local/bin/36_under_systemd", program)
        (place / "weather.service").write_text(service, encoding="utf-8")
        assert not complaints(analyze, place), complaints(analyze, place)
        (place / "weather.service").write_text(service.replace("=notify", "=telepathy"), encoding="utf-8")
        assert complaints(analyze, place), "systemd-analyze takes anything"
    return next(line for line in service.splitlines() if line.startswith("ExecStart=")).split()[1:]


def free_port() -> int:
    """Returns a port of the loopback interface that was free."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextlib.contextmanager
def activated(command: list[str], name: str, notify: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Runs a program at its first client, with a socket of that name."""
    port = free_port()
    listen = [f"--listen=127.0.0.1:{port}", f"--fdname={name}", f"--setenv=NOTIFY_SOCKET={notify}"]
    process = subprocess.Popen([*command[:1], *listen, *command[1:]], stderr=subprocess.PIPE, text=True)
    try:
        yield process, port
    finally:
        process.kill()
        process.wait()


def connected(port: int) -> socket.socket:
    """Connects, as soon as somebody listens."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        except ConnectionRefusedError:
            assert time.monotonic() < end, "nobody listens"
            time.sleep(0.01)


def all_of(one: socket.socket) -> bytes:
    """Reads up to the other side's end."""
    parts = []
    while part := one.recv(4096):
        parts.append(part)
    return b"".join(parts)


def check_socket(program: str, arguments: list[str], activate: str) -> None:
    """The first client starts the program and is answered; SIGTERM lets the second one be answered."""
    with tempfile.TemporaryDirectory() as place, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        notify = str(Path(place) / "notify")
        told.bind(notify)
        told.settimeout(PATIENCE_S)
        with activated([activate, program, *arguments], "weather", notify) as (process, port):
            with connected(port) as client:
                client.sendall(QUESTION.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
                answer = all_of(client)
            assert answer.startswith(b"HTTP/1.1 200 OK\r\n") and answer.endswith(b"sunny\n"), answer
            assert told.recv(100) == b"READY=1"
            with connected(port) as client:
                client.sendall(QUESTION)
                time.sleep(0.05)  # the answer takes 0.2 s
                process.send_signal(signal.SIGTERM)
                answer = all_of(client)
            assert b"Connection: close" in answer and answer.endswith(b"sunny\n"), answer
            assert told.recv(100) == b"STOPPING=1"
            assert process.wait(PATIENCE_S) == 0


def check_name(program: str, arguments: list[str], activate: str) -> None:
    """A socket of another name is a mistake, which is told."""
    with activated([activate, program, *arguments], "wether", "/nowhere") as (process, port), connected(port):
        assert process.stderr
        said = process.stderr.read()
        assert "systemd has passed no socket 'weather', but 'wether'" in said, said
        assert process.wait(PATIENCE_S) != 0


def main() -> None:
    """Runs all checks."""
    program, folder, analyze, activate = sys.argv[1:]
    assert shutil.which(analyze) and shutil.which(activate), "systemd's tools are not installed"
    os.environ.pop("LISTEN_FDS", None)
    arguments = check_files(program, Path(folder), analyze)
    check_socket(program, arguments, activate)
    check_name(program, arguments, activate)
    print("verdict: good")


if __name__ == "__main__":
    main()
