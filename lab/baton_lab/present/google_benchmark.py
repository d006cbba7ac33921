# SPDX-License-Identifier: MIT
"""Times as Google Benchmark's JSON, which other people's tools compare, keep and draw."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Sequence
from datetime import datetime
from statistics import fmean, median, stdev
from typing import Any

from baton_lab.base.project import machine
from baton_lab.base.records import Record
from baton_lab.base.store import Run
from baton_lab.measure.interleaved_runs import PEER

Entry = dict[str, Any]
LEAST = 2
"""So many repeats have statistics beside them."""


def document(runs: Sequence[tuple[float | None, Run, Sequence[Record]]], now: datetime) -> str:
    """Runs, each with its board's clock in MHz, as one JSON document: times, and cycles over the clock.

    Shape    an entry for each repeat that was kept, then their mean, median, deviation and coefficient of variation.
             Base, floor and instructions stand beside a repeat as counters; a record that is no time has no entry.
             `real_time` and `cpu_time` are both what an operation took.
    """
    counts = {_name(r): r.value for _, _, records in runs for r in records if r.unit == "instructions"}
    entries: list[Entry] = []
    timed = [(r, scale) for mhz, _, records in runs for r in records if (scale := _nanoseconds(r, mhz)) is not None]
    for family, (record, scale) in enumerate(timed):
        entries += _entries(record, scale, family, counts.get(_name(record)))
    builds = {run.build: None for _, run, _ in runs}
    return json.dumps({"context": {**_context(now), "builds": list(builds)}, "benchmarks": entries}, indent=2)


def _nanoseconds(record: Record, mhz: float | None) -> float | None:
    """Of one of the record's unit; None where it is no time."""
    if record.is_timed:
        return None  # what is approximate stands apart
    if record.unit == "ns":
        return 1.0
    return 1000 / mhz if record.unit == "cycles" and mhz else None


def _context(now: datetime) -> Entry:
    facts = machine()
    return {
        "date": now.isoformat(timespec="seconds"),
        "host_name": socket.gethostname(),
        "executable": "./baton bench",
        "num_cpus": int(facts["cpus"]),
        "mhz_per_cpu": 0,
        "cpu_scaling_enabled": facts.get("governor", "performance") != "performance",
        "caches": [],
        "load_avg": [float(facts["load"])],
        "library_build_type": "release",
        "json_schema_version": 1,
    }


def _name(record: Record) -> str:
    chosen = [f"{key}:{value}" for key, value in record.chosen.items() if key != PEER]
    whose = [record.params[PEER]] if PEER in record.params else []
    return "/".join([record.board, record.suite, record.case, *whose, *chosen])


def _entries(record: Record, scale: float, family: int, instructions: float | None) -> Iterator[Entry]:
    times = [scale * each for each in record.samples or (record.value,)]
    name = _name(record)
    threads = record.params.get("threads", "1")
    common: Entry = {
        "family_index": family,
        "per_family_instance_index": 0,
        "run_name": name,
        "repetitions": len(times),
        "threads": int(threads) if threads.isdigit() else 1,
    }
    beside = {"base": record.base, "floor": record.floor}
    counters = {key: scale * value for key, value in beside.items() if value is not None}
    counters |= {} if instructions is None else {"instructions": instructions}
    for index, time in enumerate(times):
        once: Entry = {"name": name, **common, "run_type": "iteration", "repetition_index": index}
        yield {**once, "iterations": record.iterations, **_time(time), **counters}
    if len(times) < LEAST:
        return
    mean, deviation = fmean(times), stdev(times)
    figures = {"mean": mean, "median": median(times), "stddev": deviation, "cv": deviation / mean if mean else 0.0}
    for which, value in figures.items():
        unit = "percentage" if which == "cv" else "time"
        kind = {"run_type": "aggregate", "aggregate_name": which, "aggregate_unit": unit}
        yield {"name": f"{name}_{which}", **common, **kind, "iterations": len(times), **_time(value)}


def _time(value: float) -> Entry:
    return {"real_time": value, "cpu_time": value, "time_unit": "ns"}
