# SPDX-License-Identifier: MIT
"""The published figures of a service framework of C++20 on Linux, and our cases that do the same work."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from baton_lab.measure.published import DIRECTORY, PublishedError, PublishedModel, load
from baton_lab.measure.seeds import seeds

FILE_NAME = "ichor.json"
FRAMEWORK = "Ichor"
THREADS = {"single": 1, "multi": 8}
"""`multi` is as many loops that share nothing, each with the whole work."""

OPERATIONS = {
    "coroutine": 5_000_000, "event": 5_000_000, "start": 10_000, "start_stop": 1_000_000, "serializer": 5_000_000
}  # fmt: skip
"""The work of each loop in a benchmark: awaits, events, services, cycles, round trips."""

BYTES_A_SECOND = "B/s"
STANDARD = ("std", "std")
"""Containers and allocator of the standard library."""


class PublishedBenchmark(PublishedModel):
    """A published line: the time of the whole benchmark, and the most memory that the process held."""

    containers: Literal["std", "absl"]
    allocator: Literal["std", "mimalloc"]
    benchmark: str
    threads: Literal["single", "multi"]
    library: str | None
    micros: int = Field(gt=0)
    peak_bytes: int
    rate: int | None
    rate_unit: str | None

    @property
    def nanos(self) -> float | None:
        """Nanoseconds an operation, of all threads together; None where it is not known how many there were."""
        each = OPERATIONS.get(self.benchmark)
        return None if each is None else 1000 * self.micros / (each * THREADS[self.threads])

    @property
    def bytes_each(self) -> float | None:
        """Bytes that its rate counts in an operation; None where its rate is no bytes."""
        if self.rate is None or self.rate_unit != BYTES_A_SECOND or self.nanos is None:
            return None
        return self.rate * self.nanos / 1e9


class PublishedLatency(PublishedModel):
    """A published line of its example in real time, in microseconds."""

    min: int
    max: int
    avg: int
    sched_rt_runtime_us: int | None = None
    deadline: int | None = None


class PublishedRealtime(PublishedModel):
    """The payload of that example under each setting of the kernel."""

    unit: Literal["microseconds"]
    default: PublishedLatency
    rt_999999: PublishedLatency
    rt_unlimited: PublishedLatency


class HeadRow(PublishedModel):
    """A line of our own run of the framework's HEAD: nanoseconds and instructions of an operation, where known."""

    work: str
    least_ns: int | None = None
    most_ns: int | None = None
    instructions: int | None = None

    @property
    def nanos(self) -> str:
        """The nanoseconds, as one figure or from the least to the most."""
        if self.least_ns is None:
            return ""
        return f"{self.least_ns:,}" if self.least_ns == self.most_ns else f"{self.least_ns:,} to {self.most_ns:,}"


class Head(PublishedModel):
    """The framework as it is today, which its author has not published figures of."""

    source: str
    rows: tuple[HeadRow, ...]


class PublishedService(PublishedModel):
    """The file."""

    source: str
    version: str
    head: Head
    rows: tuple[PublishedBenchmark, ...] = Field(min_length=1)
    realtime: PublishedRealtime

    def of_case(
        self, case: str, threads: int, library: str | None = None, built: tuple[str, str] = STANDARD
    ) -> PublishedBenchmark | None:
        """The line of the work that our case does, `built` with containers and allocator."""
        words = seeds().ichor
        for row in self.rows:
            same = words.benchmark[row.benchmark].case == case and THREADS[row.threads] == threads
            same = same and (None if row.library is None else words.library[row.library]) == library
            if same and (row.containers, row.allocator) == built:
                return row
        return None


def read(path: Path) -> PublishedService:
    """The published figures of a file.

    Errors   PublishedError: it cannot be used, or a rate is not that of its time.
    """
    found = load(path, PublishedService)
    for row in found.rows:
        if row.rate is None or row.nanos is None:
            continue
        each = row.rate * row.nanos / 1e9  # bytes are counted whole, and everything else one by one
        whole = round(each) if row.bytes_each else 1
        if abs(each - whole) > 0.001:
            raise PublishedError(
                f"{path}: {row.benchmark}: {row.rate} {row.rate_unit} are not {row.micros} microseconds"
            )
    return found


@cache
def service() -> PublishedService:
    """The figures that lie in this tree."""
    return read(DIRECTORY / FILE_NAME)
