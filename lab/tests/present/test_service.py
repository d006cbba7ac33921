# SPDX-License-Identifier: MIT
"""The suite service: what is published, growth with n, its tables, its plot and its targets."""

import json
from pathlib import Path
from typing import Any

import pytest
from sample_runs import records, run_of, sample

from baton_lab.base.records import Record
from baton_lab.base.store import Run, Store
from baton_lab.board.board_facts import BoardFacts
from baton_lab.measure import scaling
from baton_lab.measure.published import DIRECTORY, PublishedError
from baton_lab.measure.published_service import FILE_NAME, read, service
from baton_lab.measure.targets import judge, load
from baton_lab.present import beside, plots
from baton_lab.present.pages import Context, board_grids, make
from baton_lab.present.plot_style import LeftOut, Plot
from baton_lab.present.report import render


def measured() -> list[Record]:
    return sample("host", "service")


def starts(*lines: str) -> list[Record]:
    return records("service", "host", "\n".join(f"start {line} threads=1" for line in lines), "unit=ns valid=measured")


def written(folder: Path, **changes: object) -> Path:
    """The published file, with changes to its first row."""
    data: dict[str, Any] = json.loads((DIRECTORY / FILE_NAME).read_text(encoding="utf-8"))
    data["rows"][0].update(changes)
    path = folder / FILE_NAME
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_what_is_published_is_the_time_of_all_over_the_operations_of_all() -> None:
    one, eight = service().of_case("coroutine", 1), service().of_case("coroutine", 8)
    assert one is not None and eight is not None
    assert (one.micros, eight.micros) == (526618, 919541)
    assert one.nanos == pytest.approx(105.3236)
    assert eight.nanos == pytest.approx(22.988525)
    started = service().of_case("start", 1)
    assert started is not None and started.nanos == pytest.approx(278239.0)
    assert service().of_case("event_steady", 1) is None


def test_a_published_library_is_told_by_its_name_and_counts_the_text_in_both_directions() -> None:
    assert service().of_case("serialize", 1) is None
    assert service().of_case("serialize", 1, "simdjson") is None
    found = {name: service().of_case("serialize", 1, name) for name in ("rapidjson", "boost_json")}
    nanos = {name: line.nanos for name, line in found.items() if line is not None}
    assert nanos == pytest.approx({"rapidjson": 282.8606, "boost_json": 465.851})
    sizes = {name: line.bytes_each for name, line in found.items() if line is not None}
    assert sizes == pytest.approx({"rapidjson": 62, "boost_json": 60})
    other = service().of_case("serialize", 8, "rapidjson", ("absl", "mimalloc"))
    assert other is not None and other.micros == 1269312
    counted = service().of_case("coroutine", 1)
    assert counted is not None and counted.bytes_each is None


def test_a_rate_that_is_not_that_of_its_time_is_refused(tmp_path: Path) -> None:
    assert read(written(tmp_path)) == service()
    with pytest.raises(PublishedError, match="9494548 coroutines/s are not 626618 microseconds"):
        read(written(tmp_path, micros=626618))
    bytes_too_many = {"benchmark": "serializer", "library": "rapidjson", "rate_unit": "B/s", "micros": 1414303}
    with pytest.raises(PublishedError, match="219300000 B/s are not 1414303 microseconds"):
        read(written(tmp_path, **bytes_too_many, rate=219_300_000))
    with pytest.raises(PublishedError, match="threads"):
        read(written(tmp_path, threads="several"))


def test_an_exponent_is_the_slope_of_the_logarithms() -> None:
    assert scaling.exponent([1, 10, 100], [7, 70, 700]) == pytest.approx(1)
    assert scaling.exponent([10, 100, 1000], [5, 500, 50000]) == pytest.approx(2)
    assert scaling.exponent([1, 10, 100], [4, 4, 4]) == pytest.approx(0)


def test_fewer_than_five_sizes_have_no_exponent() -> None:
    few = starts("value=5 n=10", "value=5 n=100", "value=5 n=1000", "value=5 n=10000")
    assert beside.start_growth(few).exponent is None
    assert beside.growth_grids("host", few)[0].rows[-1][-1] == ""
    left_out = plots.growth(few)
    assert isinstance(left_out, LeftOut)
    assert "4 sizes, where 5 are needed" in left_out.reason
    quadratic = starts(*(f"value={n} n={n}" for n in (10, 100, 1000, 10000, 100000)))
    assert beside.start_growth(quadratic).exponent == pytest.approx(2)


def test_growth_takes_one_thread_and_nanoseconds_alone() -> None:
    found = beside.start_growth(measured())
    assert found.sizes == (100, 1000, 10000, 100000, 1000000)
    assert found.each == (1000, 1000, 1100, 1200, 1300)
    assert found.exponent == pytest.approx(1.0307, abs=1e-4)
    [grid] = beside.growth_grids("host", measured())
    assert grid.rows[2] == ("10,000", "1100.0", "11.000", "550.0", "2.00", "")
    assert grid.rows[4][-1] == "1.03"
    other = starts(*(f"value={n} floor={n} n={n}" for n in found.sizes))
    [again] = beside.growth_grids("host", other)
    assert again.notes == grid.notes  # a README is not stale because of another exponent
    assert "about n ** 1.03" in beside.growth_note(found)
    assert "100 to 1,000,000" in beside.growth_note(found)


def test_the_growth_of_an_event_has_a_table_with_its_instructions() -> None:
    numbers = (1000, 10000, 100000, 1000000, 5000000)
    times = [f"event_drain value=10 floor=5 n={n} threads=1" for n in numbers]
    made = records("service", "host", "\n".join(times), "unit=ns valid=measured")
    counts = [f"event_drain value=80 n={n} threads=1" for n in numbers[:3]]
    made += records("service", "host", "\n".join(counts), "unit=instructions valid=instructions")
    plain = records("service", "host", "event_drain value=20 threads=1", "unit=ns valid=measured")
    [grid] = beside.growth_grids("host", plain + made)
    assert grid.title == "host: service, push and take n events, measured"
    assert grid.rows[0] == ("1,000", "10.0", "0.010", "5.0", "2.00", "80.0", "")
    assert grid.rows[4] == ("5,000,000", "10.0", "50.000", "5.0", "2.00", "", "1.00")
    [published] = beside.published_grids("host", plain + made)
    assert [row[2] for row in published.rows] == ["20.0"], "the numbers are no published benchmark"


def test_tables_of_the_host_name_its_processor_and_rows_with_more_threads_say_so() -> None:
    run = run_of("host", "service", machine={"cpu": "Test CPU", "cpus": "2"})
    grids = board_grids(BoardFacts(name="host"), {"service": (run, measured())})
    assert all(grid.notes[-1] == "machine: Test CPU, 2 processors" for grid in grids)
    times = grids[0]
    assert times.columns[-1].header == "threads on\nprocessors"
    said = {row[0]: row[-1] for row in times.rows}
    assert said["start n=10000 threads=8"] == "8 on 2" and said["serialize library=boost_json threads=8"] == "8 on 2"
    assert {name for name, words in said.items() if words} == {name for name in said if "threads=8" in name}
    assert "threads that are more than the processors take turns on them" in times.notes
    assert [row[0] for row in grids[2].rows] == ["1", "8 on 2"]
    assert {row[2] for row in grids[3].rows} == {"1", "8 on 2"}
    wide = run_of("host", "service", machine={"cpu": "Test CPU", "cpus": "16"})
    for grid in board_grids(BoardFacts(name="host"), {"service": (wide, measured())}):
        assert not any(" on 16" in cell for row in grid.rows for cell in row)


def test_producers_are_threads_beside_their_consumer() -> None:
    lines = "cross_thread value=5 producers=2\ncross_thread value=5 producers=1"
    made = records("async", "host", lines, "unit=ns valid=measured")
    run = run_of("host", "async", machine={"cpu": "Test CPU", "cpus": "2"})
    [grid] = board_grids(BoardFacts(name="host"), {"async": (run, made)})
    assert [row[-1] for row in grid.rows] == ["3 on 2", ""]


def test_the_published_work_stands_beside_ours_without_a_ratio() -> None:
    [grid] = beside.published_grids("host", measured())
    assert grid.rows == (
        ("coroutine", "", "1", "14.0", "105.3", "", "", "3.2", "2.1", "10000", "5000000"),
        ("event_drain", "", "1", "20.0", "210.6", "", "", "", "644.5", "10000", "5000000"),
        ("start_stop", "", "1", "180.0", "1855.4", "", "", "", "148.4", "10000", "1000000"),
        ("start", "", "1", "1100.0", "278239.0", "", "", "", "44.4", "10000", "10000"),
        ("start", "", "8", "900.0", "65804.9", "", "", "", "361.3", "10000", "80000"),
        ("serialize", "rapidjson", "1", "250.0", "282.9", "240.0", "219.2", "4.3", "4.6", "10000", "5000000"),
        ("serialize", "boost_json", "8", "300.0", "59.6", "200.0", "1006.5", "", "5.5", "10000", "40000000"),
    )
    assert grid.rules == {4, 5, 6}
    assert "60 bytes with rapidjson, 60 bytes with boost_json; by its rates and times Ichor counts 62" in grid.notes[-1]
    without = [record for record in measured() if record.case != "serialize"]
    [short] = beside.published_grids("host", without)
    assert len(short.columns) == 8 and not any("MB/s" in note for note in short.notes)
    notes = " ".join(grid.notes)
    assert "AMD 7950X" in notes and "gcc 11.3" in notes and "another machine, so no ratio is formed" in notes


def test_a_peer_stands_beside_ours_and_not_beside_what_is_published() -> None:
    lines = (
        "coroutine value=150 min=140 threads=1 peer=asio peer_version=1.81.0",
        "cross_loop value=90 min=80 producers=2 threads=1 peer=asio peer_version=1.81.0",
        "cross_loop value=45 min=40 threads=1 producers=2",
    )
    theirs = records("service", "host", "\n".join(lines), "unit=ns valid=measured")
    both = [*measured(), *theirs]
    assert beside.service_grids("host", both) == beside.service_grids("host", measured())
    [grid] = beside.peer_grids("host", "service", both)
    assert [row[0] for row in grid.rows] == ["coroutine threads=1", "cross_loop producers=2 threads=1"]
    assert [row[-1] for row in grid.rows] == ["150.0", "90.0"]
    assert [row[1] for row in grid.rows] == ["14.0", "45.0"]


def test_the_memory_of_as_many_events_stands_beside_what_is_published() -> None:
    [grid] = beside.queue_grids("host", measured())
    assert grid.rows == (("1", "5000000", "83.3", "82.9", "644.5"), ("8", "5000000", "640.0", "630.0", "5765.3"))
    other = records("service", "host", "event_memory value=5000 events=300 threads=1", "unit=bytes valid=measured")
    assert beside.queue_grids("host", other)[0].rows == (("1", "300", "0.0", "", ""),)


def test_a_suite_that_is_not_measured_has_no_table() -> None:
    assert beside.service_grids("host", []) == []
    assert isinstance(plots.growth([]), LeftOut)


def test_the_plot_shows_the_exponent_and_the_published_size() -> None:
    plot = plots.growth(measured())
    assert isinstance(plot, Plot)
    assert "Baton, n ** 1.03" in plot.svg
    assert "Ichor, published" in plot.svg
    assert "logarithmic axes" not in plot.svg and plot.svg.count("logarithmic") == 2


def test_the_board_the_block_and_the_report_show_its_tables(tmp_path: Path) -> None:
    run = run_of("host", "service")
    titles = [grid.title for grid in board_grids(BoardFacts(name="host"), {"service": (run, measured())})]
    expected = [
        "host: service, measured nanoseconds",
        "host: service, create, start and stop n services, measured",
        "host: service, memory of queued events",
        "host: service, beside Ichor as published",
    ]
    assert titles == expected

    def latest(board: str, suite: str) -> tuple[Run, list[Record]] | None:
        return (run, measured()) if (board, suite) == ("host", "service") else None

    block = make("service host", Context(latest=latest, facts={}))
    assert [grid.title for grid in block.grids] == expected
    assert block.needs == (("host", "service"),)
    assert ("host", "service") not in make("host", Context(latest=latest, facts={})).needs
    with Store(tmp_path / "runs.sqlite") as store:
        store.save(run, measured())
        text = render(store, run.started)
    assert all(title in text for title in expected)
    assert "Create, start and stop n services" in text and "n ** 1.03" in text


def test_its_targets_are_judged_by_ratios_growth_and_bytes() -> None:
    def find(board: str, suite: str) -> list[Record] | None:
        return measured() if suite == "service" else None

    rows = [row for row in judge(load(), find, ["host"]) if row.target.figure.suite == "service"]
    assert [(row.target.figure.case, row.target.limit, row.ours, row.verdict) for row in rows] == [
        ("coroutine", 1.7, 1.4, "met"),
        ("event_steady", 1.7, 1.714, "missed"),
        ("event_drain", 1.7, 1.25, "met"),
        ("event_handler", 1.7, 1.2, "met"),
        ("start_stop", 1.7, 1.5, "met"),
        ("start", 2.5, 2.0, "met"),
        ("start", 1.1, 1.031, "met"),
        ("event_memory", 160000000, 83300000, "met"),
        ("two_threads", 1.11, 1.0, "met"),
        ("two_threads", 1.11, 1.2, "missed"),
    ]
