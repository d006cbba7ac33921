# SPDX-License-Identifier: MIT
"""Prints the results of ./baton bench for programs: record lines, or Google Benchmark's JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Console

from baton_lab.base.records import format_line
from baton_lab.measure.board_run import Measured

TABLE, RECORDS, GOOGLE_BENCHMARK = FORMATS = ("table", "records", "google-benchmark")


def console() -> Console:
    """The terminal; wide where the output goes to a file or another program."""
    made = Console()
    return made if made.is_terminal else Console(file=sys.stdout, width=160)


def print_for_programs(format: str, runs: Sequence[tuple[float | None, Measured]]) -> bool:
    """Prints the runs, each with its board's clock in MHz; returns False if the format is for
    people.
    """
    if format == RECORDS:
        for _, (_, records) in runs:
            for record in records:
                print(format_line(record))
    elif format == GOOGLE_BENCHMARK:
        from baton_lab.present import google_benchmark

        print(google_benchmark.document([(mhz, *measured) for mhz, measured in runs], datetime.now(UTC)))
    return format != TABLE
