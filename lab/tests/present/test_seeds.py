# SPDX-License-Identifier: MIT
"""The published documents: no figure of theirs is left out, and each of ours is a run's."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from sample_runs import run_of, sample

from baton_lab.base.project import ROOT
from baton_lab.base.records import Record
from baton_lab.base.store import Run, Store
from baton_lab.board import board_facts
from baton_lab.board.board_files import BadInputError
from baton_lab.measure import published_thread_metric
from baton_lab.measure.published import DIRECTORY
from baton_lab.measure.seeds import EVERY, Ours, committed, seeds, select
from baton_lab.measure.variants import ALL, VARIANT
from baton_lab.present import seeds as documents
from baton_lab.present.grid import Grid
from baton_lab.present.pages import Context, UnknownBlockError, make
from baton_lab.present.readme import find
from baton_lab.present.seed_rows import Source
from baton_lab.present.terminal import broken, print_grids

AVR = ("nano", "promicro")
SIMULATED_FILE = "aceroutine-1.5.1-simavr.json"
PUBLISHED_LINES = 192
"""CPU rows, sizes of objects, round trips of the kernel and lines of Ichor, in all documents."""


@pytest.fixture(scope="module")
def blessed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Source]:
    """The figures of this tree alone: an empty store, and the committed baselines."""
    with Store(tmp_path_factory.mktemp("seeds") / "runs.sqlite") as store:
        yield documents.stored(ROOT, store)[0]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "runs.sqlite") as made:
        for suite in ("service", "realtime"):
            machine = {"cpu": "Test CPU", "cpus": "2"}
            made.save(run_of("host", suite, machine=machine), sample("host", suite))
        yield made


def table(name: str, source: Source, number: int) -> Grid:
    return documents.page(select([name])[0], source).grids[number]


def cells(grid: Grid, first: str) -> dict[str, str]:
    """The cells of the row that begins so, by the heads of their columns."""
    row = next(row for row in grid.rows if row[0] == first)
    return {column.header.replace("\n", " "): cell for column, cell in zip(grid.columns, row, strict=True)}


def numbers(grid: Grid) -> dict[str, set[float]]:
    """The numbers in each row that is not a further line of ours, by its first cell and its text cells."""
    found: dict[str, set[float]] = {}
    for row in grid.rows:
        words = " ".join(row).replace("/", " ").replace(",", "").replace("(", " ").split()
        found[row[0]] = found.get(row[0], set()) | {float(word) for word in words if is_number(word)}
    return found


def is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def of_file(name: str) -> Any:
    return json.loads((DIRECTORY / name).read_text(encoding="utf-8"))


def titled(grids: Collection[Grid], *words: str) -> Grid:
    [found] = [grid for grid in grids if all(word in grid.title for word in words)]
    return found


def test_every_file_of_published_figures_is_a_document_or_stands_beside_one_or_a_suite() -> None:
    named = {each.file for each in seeds().document} | {SIMULATED_FILE, published_thread_metric.FILE_NAME}
    assert named == {path.name for path in DIRECTORY.glob("*.json")}


@pytest.mark.parametrize("name", ["auto-1.4", "auto-1.5.1", "channel"])
def test_no_published_time_and_size_is_left_out(name: str, blessed: Source) -> None:
    document = select([name])[0]
    grids = documents.page(document, blessed).grids
    for board in of_file(document.file)["boards"]:
        found = numbers(titled(grids, board["title"], "CPU"))
        assert [row for row in found if not row.startswith("-")] == [row["functionality"] for row in board["rows"]]
        for row in board["rows"]:
            wanted = {row["iterations"], row["micros_per_iter"], row["diff_micros"]}
            assert wanted <= found[row["functionality"]], (board["board"], row)
        if board["sizes_bytes"]:
            sizes = titled(grids, board["title"], "sizes")
            published = {row[0]: row[1] for row in sizes.rows if not row[0].startswith("-")}
            assert published == {f"sizeof({each})": str(size) for each, size in board["sizes_bytes"].items()}
        notes = " ".join(titled(grids, board["title"], "CPU").notes)
        assert board["hardware"] in notes and all(note in notes for note in board["notes"])


def test_no_published_byte_of_a_feature_is_left_out(blessed: Source) -> None:
    grids = documents.page(select(["memory"])[0], blessed).grids
    for board in of_file("aceroutine-1.5.1-memory.json")["boards"]:
        grid = titled(grids, board["title"])
        found, base = numbers(grid), board["baseline"]
        assert [row for row in found if not row.startswith("-")] == [row["functionality"] for row in board["rows"]]
        for row in board["rows"]:
            flash, ram = row["flash_bytes"], row["ram_bytes"]
            wanted = {flash, ram, base["flash_bytes"] + flash, base["ram_bytes"] + ram}
            assert wanted <= found[row["functionality"]], row
        assert f"Baseline: {base['flash_bytes']}/{base['ram_bytes']};" in " ".join(grid.notes)


def test_what_ran_here_stands_beside_the_board_that_was_simulated(blessed: Source) -> None:
    [board] = of_file(SIMULATED_FILE)["boards"]
    grids = {name: documents.page(select([name])[0], blessed).grids for name in ("auto-1.5.1", "channel", "memory")}
    for row in board["rows"]:
        name = row["functionality"]
        if "flash_bytes" in row:
            assert cells(titled(grids["memory"], board["title"]), name)["theirs here"] == str(row["flash_bytes"])
            continue
        document = "channel" if name in ("Baseline", "Channels") else "auto-1.5.1"
        found = cells(titled(grids[document], board["title"], "CPU"), name)
        assert (float(found["theirs here"]), float(found["here diff"])) == (row["micros_per_iter"], row["diff_micros"])
    assert "theirs here" not in cells(titled(grids["auto-1.5.1"], "Pro Micro", "CPU"), "EmptyLoop")


def test_no_published_round_trip_is_left_out(blessed: Source) -> None:
    [grid] = documents.page(select(["k2"])[0], blessed).grids
    lines = [row[:6] for row in grid.rows if not row[0].startswith("-")]
    assert lines == [
        (
            "opt" if row["optimized"] else "noopt", "cache" if row["caches"] else "nocache",
            row["first_to_block"][0].upper(), str(row["message_bytes"]), str(row["published_figure"]),
            f"{row['micros_per_srr']:.2f}",
        )
        for row in of_file("k2-srr.json")["rows"]
    ]  # fmt: skip


def test_a_round_trip_of_ours_is_modelled_without_and_with_caches(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        store.save(run_of("versatilepb", "srr"), sample("versatilepb", "srr"))
        [grid] = documents.page(select(["k2"])[0], documents.stored(ROOT, store)[0]).grids
    found = {row[:4]: row[6:] for row in grid.rows}
    without, warm = 500 * 30.2 / 200, 500 * 2.14 / 200 + 8 * 0.504 * 30.2 / 200
    assert found["opt", "nocache", "R", "4"] == (f"{without:.2f}", "us", "modelled", f"{207.25 / without:.2f}")
    assert found["opt", "cache", "R", "4"] == (f"{warm:.2f}", "us", "modelled", f"{14.25 / warm:.2f}")
    assert found["opt", "cache", "R", "64"][0] == "none"
    assert any(note.startswith("ours with caches are as the round trips before left them") for note in grid.notes)


def test_no_line_of_ichor_is_left_out(blessed: Source) -> None:
    data = of_file("ichor.json")
    grids = documents.page(select(["ichor"])[0], blessed).grids
    for row in data["rows"]:
        title = f"{row['containers']} containers, {row['allocator']} allocator, {row['threads']} threaded"
        found = cells(titled(grids, title), f"{row['benchmark']} {row['library'] or ''}".strip())
        assert found["ran for micros"] == f"{row['micros']:,}"
        assert found["peak memory usage"] == f"{row['peak_bytes']:,}"
        assert found["rate"] == (f"{row['rate']:,} {row['rate_unit']}" if row["rate"] else "")
    notes = " ".join(grids[0].notes)
    assert data["source"] in notes and data["version"] in notes
    realtime = titled(grids, "real-time")
    figures = [data["realtime"][key] for key in ("default", "rt_999999", "rt_unlimited")]
    published = [tuple(map(int, row[1:4])) for row in realtime.rows]
    assert published == [(each["min"], each["max"], each["avg"]) for each in figures]
    assert [row[0] for row in realtime.rows] == ["950000 (default)", "999999", "-1"]
    assert f"its deadline is {data['realtime']['default']['deadline']} microseconds" in " ".join(realtime.notes)
    head = titled(grids, "HEAD")
    for row in data["head"]["rows"]:
        found = cells(head, row["work"])
        assert {f"{row[key]:,}" for key in ("least_ns", "most_ns") if key in row} <= set(found["ns"].split(" to "))
        assert found["instr"] == (f"{row['instructions']:,}" if "instructions" in row else "")
    assert data["head"]["source"] in head.notes


def test_the_documents_have_all_lines(blessed: Source) -> None:
    lines = {row[0]: int(row[1]) for row in documents.summary(blessed).rows}
    memory, realtime = lines.pop("MemoryBenchmark, AceRoutine 1.5.1"), 3
    assert sum(lines.values()) - realtime == PUBLISHED_LINES
    assert memory == sum(len(board["rows"]) for board in of_file("aceroutine-1.5.1-memory.json")["boards"])


def test_each_row_says_none_and_why_or_has_a_figure_with_its_unit_and_its_way(blessed: Source) -> None:
    for document in seeds().document:
        for shown in documents.page(document, blessed).tables:
            reasons = " ".join(shown.grid.notes)
            for row in shown.rows:
                assert bool(row.ours or row.counted) != bool(row.because), row
                assert row.because in reasons
                assert row.ours is None or (row.ours.unit and row.ours.obtained), row


def test_no_cell_of_ours_is_without_a_run(store: Store) -> None:
    stored, _ = documents.stored(ROOT, store)
    given: list[Record] = []

    def latest(board: str, suite: str) -> tuple[Run, list[Record]] | None:
        found = stored.latest(board, suite)
        given.extend(found[1] if found else [])
        return found

    source = stored._replace(latest=latest)
    made = 0
    for document in seeds().document:
        for row in (row for shown in documents.page(document, source).tables for row in shown.rows):
            for ours in filter(None, (row.ours, row.counted)):
                made += 1
                assert any(ours.record is record for record in given), row
                clock = stored.facts[ours.record.board].mhz if ours.unit == "us" else 1
                if ours.obtained != "modelled":
                    assert clock and ours.value == pytest.approx(ours.record.value / clock)
                assert ours.obtained in (ours.record.valid, "modelled")
    assert made > 150


def mapped() -> Iterator[tuple[str, str, Ours]]:
    """The document, the row and ours, of each mapping to a board with a baseline."""
    for document in seeds().document:
        if document.layout == "service":
            continue
        for table_name in filter(None, (document.rows, document.sizes)):
            for row, ours in seeds().rows[table_name].items():
                yield from ((document.name, row, each) for each in ours if each.case)


def test_each_case_of_the_mapping_is_in_a_committed_baseline() -> None:
    facts = board_facts.all_of(ROOT)
    boards = {"k2": ("versatilepb",)}
    for name, row, ours in mapped():
        document = select([name])[0]
        suite = "sizes" if row in seeds().rows.get(document.sizes, {}) else ours.suite or document.suite
        for board in boards.get(name, AVR):
            found = [record for record in committed(facts[board], suite) if record.case == ours.case]
            assert any(ours.params.items() <= record.params.items() for record in found), (name, row, ours, board)


def test_each_row_of_the_mapping_is_in_its_document() -> None:
    for document in seeds().document:
        if document.layout not in ("cpu", "memory"):
            continue
        boards = of_file(document.file)["boards"]
        rows = {row["functionality"] for board in boards for row in board["rows"]}
        assert rows <= set(seeds().rows[document.rows])
        assert {size for board in boards for size in board.get("sizes_bytes", {})} <= set(
            seeds().rows.get(document.sizes, {})
        )
    works = [row["work"] for row in of_file("ichor.json")["head"]["rows"]]
    assert works == list(seeds().rows["ichor_head"])
    assert list(seeds().rows["k2"]) == [EVERY]


def test_ours_are_the_figures_of_the_baseline_with_their_clock(blessed: Source) -> None:
    facts = board_facts.all_of(ROOT)
    cycles = {record.case: record.value for record in committed(facts["nano"], "compat")}
    grid = titled(documents.page(select(["auto-1.5.1"])[0], blessed).grids, "Arduino Nano", "CPU")
    row = next(row for row in grid.rows if row[0] == "CoroutineScheduling")
    found = dict(zip([column.header.replace("\n", " ") for column in grid.columns], row, strict=True))
    ours = seeds().ours("auto", "CoroutineScheduling")[0]
    assert float(found["ours"]) == pytest.approx(cycles[ours.case] / 16, abs=0.0005)
    assert float(found["ours diff"]) == pytest.approx((cycles[ours.case] - cycles["EmptyLoop"]) / 16, abs=0.0005)
    assert float(found["ratio"]) == pytest.approx(5.156 / float(found["ours diff"]), abs=0.006)
    assert (found["unit"], found["obtained"]) == ("us", "simulated")


def test_instructions_have_no_ratio_with_microseconds(blessed: Source) -> None:
    grid = titled(documents.page(select(["channel"])[0], blessed).grids, "ESP8266")
    assert "ratio" not in [column.header for column in grid.columns]
    units = [cells(grid, name)["unit"] for name in ("Baseline", "Channels")]
    assert (units, [row[-2] for row in grid.rows if row[0].startswith("-")]) == (["", ""], ["instr"] * 4)
    why = "instructions are no time, and no ratio with microseconds is formed; bench/results/cortex-m.md says why"
    assert any(note.startswith(why) for note in grid.notes)


def test_a_board_that_nothing_emulates_has_its_lines_and_the_reason(blessed: Source) -> None:
    grid = titled(documents.page(select(["channel"])[0], blessed).grids, "ESP32:")
    assert [row[0] for row in grid.rows] == ["Baseline", "Channels"]
    assert {cells(grid, row[0])["ours"] for row in grid.rows} == {"none"}
    assert any(
        note.startswith("each row: none, because no figure of ours is of the ESP32: QEMU has no ESP32")
        for note in grid.notes
    )


def test_a_row_without_a_run_names_the_command_that_measures_it(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as empty:
        facts = board_facts.all_of(ROOT)
        source = Source(lambda board, suite: None, lambda: [], facts)
        found = [grid for name in ("auto-1.4", "k2", "ichor") for grid in documents.grids([name], source)]
        notes = " ".join(note for grid in found for note in grid.notes)
        assert not empty.runs()
    assert "no run of nano has EmptyLoop: ./baton bench --board nano --suite compat" in notes
    assert "no run of nano has empty_loop: ./baton bench --board nano --suite auto" in notes
    assert "no sketch is built for our rp2040: Debian's Arduino core has boards of AVR alone" in notes
    assert "no run of rp2040 has EmptyLoop" not in notes
    assert "no run of versatilepb has send_receive_reply: ./baton bench --board versatilepb --suite srr" in notes
    assert "no run is stored: ./baton bench --board host --suite service" in notes
    assert "no run is stored: ./baton bench --variant all" in notes


def variants(value: float) -> tuple[Run, list[Record]]:
    marked = [
        r.model_copy(update={"params": {**r.params, VARIANT: "gcc-mimalloc-hardened"}, "value": value})
        for r in sample("host", "service")
    ]
    return run_of("host", "service", machine={"cpu": "Test CPU", "cpus": "16"}), marked


def test_the_lines_of_another_allocator_have_its_variant_and_say_how_many_processors(store: Store) -> None:
    run, records = variants(7)
    store.save(run, records)
    facts = board_facts.all_of(ROOT)
    source = Source(store.latest, lambda: store.latest_variants("host", "service"), facts)
    grids = documents.page(select(["ichor"])[0], source).grids
    standard = cells(titled(grids, "std containers, std allocator, single"), "coroutine")
    other = cells(titled(grids, "absl containers, mimalloc allocator, single"), "coroutine")
    assert (standard["ours ns"], standard["ours bytes"], other["ours ns"]) == ("14.0", "3,200,000", "7.0")
    assert cells(titled(grids, "std containers, std allocator, single"), "event")["ours bytes"] == "83,300,000"
    machines = [grid.notes[-1] for grid in grids]
    assert (
        machines
        == [f"machine: Test CPU, {n} processors" for n in (2, 2, 16, 16, 2, 2, 16, 16)]
        + ["machine: Test CPU, 2 processors"] * 2
    )
    few = "8 threads on 2 processors, which take turns: ours are no figures of 8 processors"
    assert few in titled(grids, "std containers, std allocator, multi").notes
    assert few not in titled(grids, "std containers, std allocator, single").notes
    assert not any("take turns" in note for note in titled(grids, "std containers, mimalloc allocator, multi").notes)


def test_the_example_in_real_time_has_ours_in_microseconds(store: Store) -> None:
    facts = board_facts.all_of(ROOT)
    [lost] = [r for r in sample("host", "realtime") if r.case == "payload"]
    update = {"scheduling": "fifo", "throttle": "999999", "mean": "410000"}
    payload = lost.model_copy(update={"params": {**lost.params, **update}})
    store.save(run_of("host", "realtime"), [payload])
    source = Source(store.latest, lambda: [], facts)
    grid = titled(documents.page(select(["ichor"])[0], source).grids, "real-time")
    assert grid.rows[1] == ("999999", "142", "327", "142", "406.0", "5185.7", "410.0", "measured")
    assert [row[4] for row in grid.rows] == ["none", "406.0", "none"]


def test_the_newest_release_run_here_has_a_ratio_of_instructions(store: Store) -> None:
    count = sample("host", "service")[0].model_copy(
        update={"case": "event_drain", "unit": "instructions", "valid": "instructions", "value": 151.4,
                "params": {"threads": "1"}}
    )  # fmt: skip
    records = [*sample("host", "service"), count]
    source = Source(lambda board, suite: (run_of(board, suite), records), lambda: [], {})
    grid = titled(documents.page(select(["ichor"])[0], source).grids, "HEAD")
    found = cells(grid, "event_drain")
    assert (found["ns"], found["instr"], found["ours ns"], found["ours instr"]) == ("385", "1,514", "20.0", "151.4")
    assert found["ratio of instr"] == "10.00"
    assert cells(grid, "coroutine")["ratio of instr"] == ""


def test_a_stored_run_goes_before_the_committed_baseline(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        store.save(run_of("nano", "auto"), sample("nano", "auto"))
        source, names = documents.stored(ROOT, store)
        row = table("auto-1.4", source, 1).rows[1]
        assert (row[0], row[4]) == ("- our flags", f"{17 / 16:.3f}")
        documents.grids(["auto-1.4"], source)
    assert "nano auto" not in names and "promicro auto" in names


def test_an_unknown_document_and_its_block_are_refused(blessed: Source) -> None:
    with pytest.raises(
        BadInputError,
        match=r"there is no document 'auto'; did you mean 'auto-1\.4'\? documents: auto-1\.4 auto-1\.5\.1 channel",
    ):
        documents.grids(["auto"], blessed)
    context = _context(blessed)
    with pytest.raises(UnknownBlockError, match="there is no document 'auto'"):
        make("seeds auto", context)


def _context(source: Source) -> Context:
    return Context(source.latest, source.facts, source.variants)


def test_each_discipline_stands_beside_the_best_that_others_have(blessed: Source) -> None:
    [grid] = make("disciplines", _context(blessed)).grids
    words = " ".join(row[0] for row in grid.rows)
    for discipline in ("switch", "message", "call between tasks", "memory", "idle task"):
        assert discipline in words
    assert all(row[3] != "not measured" and row[4] and row[5] and row[6] for row in grid.rows), grid.rows
    titles = {facts.title for facts in blessed.facts.values()}
    assert {row[1] for row in grid.rows} <= titles
    switch = next(row for row in grid.rows if "switch" in row[0])
    ratio = f"{float(switch[3]) / 105:.2f}"
    assert (switch[2], *switch[4:]) == ("cycles", "simulated", "105.0", ratio, "AceRoutine 1.5.1, in simavr")


def test_each_discipline_of_services_names_the_machine_and_the_best_peer(store: Store) -> None:
    run, records = run_of("host", "service", machine={"cpu": "Test CPU", "cpus": "2"}), sample("host", "service")
    peers = [
        records[1].model_copy(update={"params": {"threads": "1", "peer": name}, "value": value})
        for name, value in (("asio", 30.0), ("caf", 90.0))
    ]
    store.save(run, [*records, *peers])
    facts = board_facts.all_of(ROOT)
    [grid] = make("disciplines host", Context(store.latest, facts)).grids
    words = " ".join(row[0] for row in grid.rows)
    assert all(discipline in words for discipline in ("event", "start of a service", "coroutine"))
    event = cells(grid, "an event, 16 in flight")
    assert (event["ours ns"], event["Ichor ns"], event["Ichor instr"]) == ("12.0", "139", "2,236")
    assert (event["best peer ns"], event["peer is"]) == ("30.0", "asio")
    assert grid.notes[-1] == "machine: Test CPU, 2 processors"
    assert cells(grid, "a coroutine that an event resumes")["peer is"] == ""


def test_a_block_names_the_runs_that_it_needs(blessed: Source) -> None:
    needs = make("seeds ichor", _context(blessed)).needs
    assert set(needs) == {("host", "service"), ("host", "realtime"), ("host", "variants")}
    assert ("versatilepb", "srr") in make("seeds k2", _context(blessed)).needs
    [grid] = make("seeds", _context(blessed)).grids
    assert [row[0] for row in grid.rows] == [each.title for each in seeds().document]


def test_variants_count_as_a_suite_of_the_host_where_a_file_names_its_runs(store: Store) -> None:
    assert find(store, "host", "variants") is None
    run, records = variants(7)
    first = store.save(run, records)
    assert find(store, "host", "variants") is None, "a session of one variant is no matrix"
    for variant in ALL:
        if variant.name != "gcc-mimalloc-hardened":
            update = {"params": {**records[0].params, VARIANT: variant.name}}
            store.save(run, [records[0].model_copy(update=update)])
    found = find(store, "host", "variants")
    assert found is not None and found[0].id == first


@pytest.mark.parametrize("document", [each.name for each in seeds().document])
def test_each_table_fits_a_terminal_of_eighty_columns(document: str, store: Store) -> None:
    source, _ = documents.stored(ROOT, store)
    with Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        console = Console(file=nowhere, width=80, record=True)
        print_grids(console, documents.grids([document], source))
        lines = console.export_text().splitlines()
    tables = [line for line in lines if line.startswith(("|", "+"))]
    assert tables and {len(line.rstrip()) <= 80 for line in tables} == {True}
    assert {line[-1] for line in map(str.rstrip, tables)} <= {"|", "+"}


def test_a_long_name_is_broken_before_a_capital() -> None:
    assert broken("CoroutineSchedulingWithProfiler", 20) == "CoroutineScheduling\nWithProfiler"
    assert broken("CoroutineSchedulingWithProfiler", 31) == "CoroutineSchedulingWithProfiler"
    assert broken("Scheduler, One Coroutine", 10) == "Scheduler, One Coroutine"
    assert broken("sizeof", 3) == "sizeof"


def test_no_published_text_has_markdown_of_its_own() -> None:
    for path in sorted(DIRECTORY.glob("*.json")):
        assert "`" not in path.read_text(encoding="utf-8"), path.name
