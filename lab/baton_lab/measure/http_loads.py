# SPDX-License-Identifier: MIT
"""The programs that load an HTTP server, Debian packages: their arguments, and what their reports say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


class TurnError(RuntimeError):
    """A program did not start, or did not answer each request; the message has its last output."""


@dataclass(frozen=True)
class Load:
    """A program that keeps connections open and asks on each, one request after the other."""

    name: str
    options: tuple[str, ...]
    done: re.Pattern[str]
    failed: re.Pattern[str]
    most: int
    """The most connections: of hey's, some are idle for long, and a worker that has by chance nearly as many of one
    address as it may have closes those."""

    def words(self, connections: int, seconds: int, url: str) -> list[str]:
        """The command that asks for some seconds."""
        told = {"connections": str(min(connections, self.most)), "seconds": f"{seconds}s"}
        return [self.name, *(option.format(**told) for option in self.options), url]

    def requests_in(self, report: str) -> int:
        """The requests that were answered.

        Errors   TurnError
        """
        found = self.done.search(report)
        failed = self.failed.search(report)
        if found is None or failed:
            why = failed[0].strip() if failed else "no line with the number of requests"
            raise TurnError(f"{self.name}: {why}:\n{report.strip()}")
        return int(found[1])


WRK = Load(
    "wrk",
    ("--threads=1", "--connections={connections}", "--duration={seconds}"),
    re.compile(r"^\s*(\d+) requests in ", re.MULTILINE),
    re.compile(r"^\s*(Non-2xx .*|Socket errors: .*)$", re.MULTILINE),
    1000,
)
HEY = Load(
    "hey",
    ("-cpus", "1", "-c", "{connections}", "-z", "{seconds}"),
    re.compile(r"^\s*\[200\]\s+(\d+) responses$", re.MULTILINE),
    re.compile(r"^(Error distribution:|\s*\[(?!200\])\d+\]\s+\d+ responses$)", re.MULTILINE),
    100,
)
LOADS: Sequence[Load] = (WRK, HEY)
"""Those that there are: the first is the one of the targets."""
