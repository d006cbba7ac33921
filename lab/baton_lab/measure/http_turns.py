# SPDX-License-Identifier: MIT
"""The HTTP server, its floor and nginx under the same load, in turns: requests per second of processor time."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from baton_lab.base import process
from baton_lab.base.process import printable, run
from baton_lab.base.records import Record
from baton_lab.measure.http_loads import WRK, Load, TurnError

SUITE = "http"
TURNS = 9
TURN_SECONDS = 3
CONNECTIONS = 100
"""For each worker: two have their share of the connections only by chance, and of few it would be a poor one."""
START_LIMIT_S = 30.0
SETTLE_S = 0.2
"""The time in which a server sees that the connection of the first question is closed."""
PATH, BODY, TYPE = "/hello", b"hello\n", "text/plain; charset=utf-8"

SERVER, WORKERS, FLOOR, NGINX = "server", "workers", "floor", "nginx"
"""The programs: the server with one worker and with two, its floor, and nginx."""


@dataclass(frozen=True)
class Turn:
    """The requests of a turn, and the seconds of processor time of each thread of the server."""

    requests: int
    threads: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """The processor time of all threads."""
        return sum(self.threads)

    @property
    def rate(self) -> float:
        """Requests per second of processor time."""
        return self.requests / self.seconds

    @property
    def share(self) -> float:
        """The share of the second busiest thread in the work."""
        return sorted(self.threads)[-2] / self.seconds if len(self.threads) > 1 else 0.0


@dataclass(frozen=True)
class Ratio:
    """The median of the ratios of paired turns, and their range."""

    middle: float
    least: float
    most: float


def ratio(of: Sequence[Turn], to: Sequence[Turn]) -> Ratio:
    """The rates of one program's turns to those of another's, pair by pair."""
    each = [one.rate / other.rate for one, other in zip(of, to, strict=True)]
    return Ratio(median(each), min(each), max(each))


def seconds_of(stat: str, ticks_a_second: int) -> float:
    """The processor time in the text of a file /proc/PID/task/TID/stat; a name in it may have blanks and brackets."""
    words = stat.rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / ticks_a_second


def threads_of(pid: int, proc: Path = Path("/proc")) -> dict[str, float]:
    """The processor time of each thread of a process so far."""
    ticks = os.sysconf("SC_CLK_TCK")
    tasks = (proc / str(pid) / "task").iterdir()
    return {task.name: seconds_of((task / "stat").read_text(encoding="utf-8"), ticks) for task in tasks}


def files_of(pid: int, proc: Path = Path("/proc")) -> int:
    """The descriptors that a process has open."""
    return sum(1 for _ in (proc / str(pid) / "fd").iterdir())


def spent(before: Mapping[str, float], after: Mapping[str, float]) -> tuple[float, ...]:
    """The processor time of each thread between two looks."""
    return tuple(seconds - before.get(thread, 0.0) for thread, seconds in after.items())


@dataclass(frozen=True)
class Server:
    """A program that runs, and its load."""

    name: str
    pid: int
    port: int
    connections: int
    files: int
    """The descriptors that it has open without a connection."""

    def turn(self, folder: Path, seconds: int, load: Load = WRK) -> Turn:
        """Loads it for some seconds, when the connections of the turn before have gone: they take places.

        Errors   TurnError
        """
        self._wait_until_free()
        before = threads_of(self.pid)
        words = load.words(self.connections, seconds, f"http://localhost:{self.port}{PATH}")
        outcome = run(words, cwd=folder, limit_s=seconds + START_LIMIT_S)
        if not outcome.ok:
            raise TurnError(f"{printable(outcome.command)} {outcome.how}:\n{outcome.tail()}")
        return Turn(load.requests_in(outcome.output), spent(before, threads_of(self.pid)))

    def _wait_until_free(self) -> None:
        """Waits until no connection is open.

        Errors   TurnError: some are open after START_LIMIT_S.
        """
        until = time.monotonic() + START_LIMIT_S
        while (more := files_of(self.pid) - self.files) > 0:
            if time.monotonic() > until:
                raise TurnError(f"{self.name} keeps {more} connections of the turn before")
            time.sleep(0.02)


def measure(
    programs: Mapping[str, Path], turns: int = TURNS, seconds: int = TURN_SECONDS, load: Load = WRK
) -> dict[str, list[Turn]]:
    """Runs the programs, each a path by its name, and loads them in turns, every second round in the other order.

    Errors   TurnError
    """
    done: dict[str, list[Turn]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        folder = Path(scratch)
        servers = [stack.enter_context(started(name, path, folder)) for name, path in programs.items()]
        for server in servers:
            server.turn(folder, 1, load)  # its memory and its connections are warm
        for number in range(turns):
            for server in servers if number % 2 == 0 else servers[::-1]:
                done[server.name].append(server.turn(folder, seconds, load))
    return done


@contextmanager
def started(name: str, program: Path, folder: Path, before: Sequence[str] = ()) -> Iterator[Server]:
    """Runs a program on the loopback interface to the end of the block; `before` are the words in front of it.

    Errors   TurnError
    """
    port = _free_port() if name in {NGINX, WORKERS} else 0
    words = [*before, str(program), str(port), *(["2"] if name == WORKERS else [])]
    if name == NGINX:
        (folder / "nginx.conf").write_text(nginx_text(port, folder), encoding="utf-8")
        words = [str(program), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "nginx.log")]
    running = process.start(words, cwd=folder, streams=(subprocess.DEVNULL, subprocess.PIPE, subprocess.DEVNULL))
    try:
        if port == 0:
            line = running.stdout.readline() if running.stdout else b""
            if not line.strip().isdigit():
                raise TurnError(f"{printable(words)} named no port: {line!r}")
            port = int(line)
        _await(port, words)
        time.sleep(SETTLE_S)
        connections = 2 * CONNECTIONS if name == WORKERS else CONNECTIONS
        yield Server(name, running.pid, port, connections, files_of(running.pid))
    finally:
        process.stop(running)
        process.forget(running)
        if running.stdout:
            running.stdout.close()


def nginx_text(port: int, folder: Path) -> str:
    """The configuration of nginx: one process that answers as the others do."""
    places = "".join(
        f"  {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log {folder}/nginx.log;\n"
        f"events {{ worker_connections 1000; }}\nhttp {{\n  access_log off;\n  keepalive_requests 1000000000;\n{places}"
        f'  server {{ listen 127.0.0.1:{port}; location = {PATH} {{ default_type "{TYPE}"; '
        f'return 200 "hello\\n"; }} }}\n}}\n'
    )


def _free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def _await(port: int, words: Sequence[str]) -> None:
    """Waits until the program answers, and sees that it answers well."""
    until = time.monotonic() + START_LIMIT_S
    while True:
        try:
            answer = ask(port, 1)
        except OSError as error:
            if time.monotonic() > until:
                raise TurnError(f"{printable(words)} does not answer: {error}") from error
            time.sleep(0.05)
            continue
        if not answer.startswith(b"HTTP/1.1 200 ") or not answer.endswith(BODY):
            raise TurnError(f"{printable(words)} answers {answer!r}")
        return


def ask(port: int, times: int) -> bytes:
    """Asks one after the other over one connection; returns the last answer."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=START_LIMIT_S) as to:
        for _ in range(times):
            to.sendall(f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            answer = b""
            while not answer.endswith(BODY) and (piece := to.recv(4096)):
                answer += piece
    return answer


def record(turns: Mapping[str, Sequence[Turn]], name: str, **params: str) -> Record:
    """The nanoseconds of processor time of a request beside the floor's, and the ratio of the rates."""
    own, floor = turns[name], turns[FLOOR]
    to_floor = ratio(own, floor)
    each = [1e9 / turn.rate for turn in own]
    return Record(
        suite=SUITE,
        case="hello",
        board="host",
        unit="ns",
        value=median(each),
        floor=median(1e9 / turn.rate for turn in floor),
        iterations=sum(turn.requests for turn in own),
        samples=tuple(each),
        valid="measured",
        params={
            **params,
            "by": "processor_time",
            "rounds": str(len(own)),
            "to_floor": f"{to_floor.middle:.3f}",
            "to_floor_min": f"{to_floor.least:.3f}",
            "to_floor_max": f"{to_floor.most:.3f}",
        },
    )


def records(turns: Mapping[str, Sequence[Turn]], nginx_version: str, load: Load = WRK) -> list[Record]:
    """The records of all programs that took part; the server's workers are beside its one worker, too."""
    by = {} if load is WRK else {"load": load.name}
    made = [record(turns, SERVER, workers="1", **by)]
    if WORKERS in turns:
        to_one = ratio(turns[WORKERS], turns[SERVER])
        shares = [turn.share for turn in turns[WORKERS]]
        beside = {
            "to_one": f"{to_one.middle:.3f}",
            "to_one_min": f"{to_one.least:.3f}",
            "to_one_max": f"{to_one.most:.3f}",
        }
        share = {"share": f"{median(shares):.3f}", "share_min": f"{min(shares):.3f}"}
        made.append(record(turns, WORKERS, workers="2", **beside, **share, **by))
    if NGINX in turns:
        made.append(record(turns, NGINX, workers="1", peer=NGINX, peer_version=nginx_version, **by))
    return made
