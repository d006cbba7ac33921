# SPDX-License-Identifier: MIT
"""--format google-benchmark: what the tools that read this JSON need of it."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from sample_runs import records, run_of, sample

from baton_lab.base.records import Record
from baton_lab.command.output import print_for_programs
from baton_lab.present.google_benchmark import document

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def read(board: str, found: list[Record], mhz: float | None = None) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(document([(mhz, run_of(board, "auto"), found)], NOW))
    return made


def one(line: str, unit: str = "ns") -> list[Record]:
    return records("auto", "host", line, f"unit={unit} valid=measured")


def test_an_entry_has_what_the_tools_read() -> None:
    [entry] = read("host", one("direct value=2.5 floor=1.25 base=0.5 yields=2"))["benchmarks"]
    assert entry == {
        "name": "host/auto/direct/yields:2",
        "family_index": 0,
        "per_family_instance_index": 0,
        "run_name": "host/auto/direct/yields:2",
        "run_type": "iteration",
        "repetitions": 1,
        "repetition_index": 0,
        "threads": 1,
        "iterations": 10000,
        "real_time": 2.5,
        "cpu_time": 2.5,
        "time_unit": "ns",
        "base": 0.5,
        "floor": 1.25,
    }


def test_every_repeat_is_an_entry_and_their_statistics_follow() -> None:
    found = read("host", one("direct value=3 samples=3,1,5 threads=2"))["benchmarks"]
    assert [entry["real_time"] for entry in found if entry["run_type"] == "iteration"] == [3, 1, 5]
    assert [entry["repetition_index"] for entry in found[:3]] == [0, 1, 2]
    assert {entry["repetitions"] for entry in found} == {3} and {entry["threads"] for entry in found} == {2}
    figures = {entry["aggregate_name"]: entry for entry in found[3:]}
    assert {which: entry["real_time"] for which, entry in figures.items()} == pytest.approx(
        {"mean": 3, "median": 3, "stddev": 2, "cv": 2 / 3}
    )
    assert (figures["cv"]["aggregate_unit"], figures["mean"]["aggregate_unit"]) == ("percentage", "time")
    assert figures["median"]["name"] == f"{found[0]['run_name']}_median"


def test_cycles_are_a_time_by_the_clock_alone_and_other_counts_are_none() -> None:
    cycles = [record for record in sample("nano", "auto") if record.case == "run_one"]
    [entry] = read("nano", cycles, 16)["benchmarks"]
    assert entry["real_time"] == pytest.approx(59.5 * 62.5)
    assert read("nano", cycles)["benchmarks"] == []
    assert read("mps2-an386", sample("mps2-an386", "auto"), 25)["benchmarks"] == []
    assert read("nano", sample("nano", "sizes"), 16)["benchmarks"] == []


def test_instructions_stand_beside_the_time_of_their_case() -> None:
    found = {entry["name"]: entry for entry in read("host", sample("host", "auto"))["benchmarks"]}
    assert found["host/auto/scheduler/yields:2"]["instructions"] == 21
    assert "instructions" not in found["host/auto/direct/yields:2"]
    assert [entry["family_index"] for entry in found.values()] == list(range(len(found)))


def test_a_peer_has_a_name_of_its_own() -> None:
    theirs = one("switch value=9 peer=asio peer_version=1.81.0") + one("switch value=8")
    assert [entry["name"] for entry in read("host", theirs)["benchmarks"]] == [
        "host/auto/switch/asio",
        "host/auto/switch",
    ]


def test_the_context_names_the_machine_the_build_and_the_version_of_the_layout() -> None:
    context = read("host", one("direct value=2"))["context"]
    assert context["json_schema_version"] == 1 and context["date"] == "2026-01-02T00:00:00+00:00"
    assert context["num_cpus"] >= 1 and len(context["load_avg"]) == 1 and context["host_name"]
    assert context["builds"] == ["g++ (Debian 12.2.0-14) 12.2.0 -O2"]


def test_a_table_is_for_people_and_the_rest_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [(None, (run_of("host", "auto"), one("direct value=2 samples=1,2,3")))]
    assert not print_for_programs("table", runs) and capsys.readouterr().out == ""
    assert print_for_programs("records", runs)
    assert " samples=1.000,2.000,3.000\n" in capsys.readouterr().out
    assert print_for_programs("google-benchmark", runs)
    assert len(json.loads(capsys.readouterr().out)["benchmarks"]) == 7
