# SPDX-License-Identifier: MIT
import os
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sample_runs import fill, run_of, sample

from baton_lab.base import project
from baton_lab.base.records import Record
from baton_lab.base.store import Store
from baton_lab.measure import suites
from baton_lab.present import readme
from baton_lab.present.comparison import PICTURES

RESULTS = [name for name in suites.pages() if name != "README.md"]
TARGETS = "bench/results/targets.md"
PICTURE = "bench/results/disciplines.svg"
NANO = "bench/results/nano.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree with empty blocks, a workload and two boards with clocks."""
    for name in {*suites.pages()} - {TARGETS}:
        blocks = suites.pages()[name]
        text = "\n".join(f"## {b}\n\n<!-- baton:begin {b} -->\n<!-- baton:end {b} -->\n" for b in blocks)
        write(tmp_path / name, f"# Results\n\n{text}")
    text = "\n<!-- baton:begin targets -->\n<!-- baton:end targets -->\n"
    write(tmp_path / TARGETS, f"# Baton\n\n<!-- baton:begin summary -->\n<!-- baton:end summary -->\n\nEnd.\n{text}")
    write(tmp_path / "bench" / "suites" / "auto.cpp", "// one\n")
    for board in ("nano", "promicro"):
        figures = f'[figures]\nunit = "cycles"\nvalid = "simulated"\nstands_for = "{board}"\n'
        head = f'name = "{board}"\ntitle = "T"\npreset = "p"\nmhz = 16\n'
        write(tmp_path / "boards" / board / "board.toml", head + figures)
    return tmp_path


@pytest.fixture
def store(root: Path) -> Iterator[Store]:
    with fill(root / "runs.sqlite") as made:
        keep_hashes(root, made)
        yield made


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def keep_hashes(root: Path, store: Store) -> None:
    """Stores the host's runs with the hash of the workload as it is."""
    for suite in ("auto", "channel", "sizes"):
        source = project.source_hash(root, suite)
        store.save(run_of("host", suite, source_hash=source), sample("host", suite))


def changed(records: list[Record], case: str, **update: object) -> list[Record]:
    return [r.model_copy(update=update) if r.case == case and r.unit != "instructions" else r for r in records]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_filled_blocks_are_not_stale_and_filling_again_changes_nothing(root: Path, store: Store) -> None:
    assert readme.check(root, store) != []
    assert readme.update(root, store) == ["README.md", *RESULTS, *PICTURES.values()]
    assert readme.check(root, store) == []
    assert readme.update(root, store) == []
    text = (root / TARGETS).read_text()
    assert text.startswith("# Baton\n\n<!-- baton:begin summary -->\n<!-- baton:from nano auto run 1 of 2025-11-21 ")
    assert "<!-- baton:end summary -->\n\nEnd.\n" in text


def test_a_block_is_readable_markdown_with_its_run_date_and_source(root: Path, store: Store) -> None:
    readme.update(root, store)
    lines = (root / NANO).read_text().splitlines()
    assert "<!-- baton:from nano auto run 1 of 2025-11-21 source 0123456789abcdef -->" in lines
    row = next(line for line in lines if line.startswith("| scheduler yields=2 "))
    assert [cell.strip() for cell in row.split("|")[1:-1]] == [
        "scheduler yields=2", "10000", "3.531", "2.469", "56.5", "39.5", "29.1", "1.36"
    ]  # fmt: skip
    assert "Made from run 1 of nano on 2025-11-21 with avr-g++ (GCC) 5.4.0 `-Os -flto`." in lines
    header = next(line for line in lines if line.startswith("| Functionality"))
    assert len(header) == len(row)
    sizes = (root / "bench/results/bytes.md").read_text().splitlines()
    assert any(line.startswith("| channel\\<int> ") for line in sizes)


def test_a_changed_cycle_is_stale_and_names_file_line_row_and_column(root: Path, store: Store) -> None:
    readme.update(root, store)
    store.save(run_of("nano", "channel"), changed(sample("nano", "channel"), "message_deadline", value=520.0))
    lines = (root / NANO).read_text().splitlines()
    number = next(i for i, line in enumerate(lines, 1) if line.startswith("| message_deadline"))
    assert f"{NANO}:{number}: channel nano: message_deadline channels=1, gross: 516.0 here, 520.0 by" in (
        "\n".join(readme.check(root, store))
    )
    assert NANO in readme.update(root, store)
    assert readme.check(root, store) == []


def test_a_count_of_reading_a_real_clock_is_stale_where_the_gate_would_see_it(root: Path, store: Store) -> None:
    figures = '[figures]\nunit = "instructions"\nvalid = "instructions"\nreal_time = '
    for board, is_real in (("on-linux", "true"), ("in-steps", "false")):
        write(
            root / "boards" / board / "board.toml", f'name = "{board}"\ntitle = "T"\npreset = "p"\n{figures}{is_real}\n'
        )
    [plain, _] = [r for r in sample("host", "auto") if r.unit == "instructions" and r.case == "scheduler"]
    timed = plain.model_copy(update={"case": "profiled", "params": {"clock": "16"}})

    def found_at(value: float) -> str:
        for board in ("on-linux", "in-steps"):
            update = {"board": board, "value": value, "base": 0.0}
            store.save(run_of(board, "auto"), [r.model_copy(update=update) for r in (plain, timed)])
        return "\n".join(readme.check(root, store))

    found_at(86.36)
    readme.update(root, store)
    assert readme.check(root, store) == []
    a_little = "86.4 here, 86.3 by the latest run"
    found = found_at(86.34)
    assert f"scheduler yields=2, in-steps: {a_little}" in found
    assert f"profiled clock=16, in-steps: {a_little}" in found
    assert f"scheduler yields=2, on-linux: {a_little}" in found
    assert f"profiled clock=16, on-linux: {a_little}" not in found
    assert "profiled clock=16, on-linux: 86.4 here, 87.4 by" in found_at(87.4)


def test_a_changed_byte_is_stale_in_the_summary_too(root: Path, store: Store) -> None:
    readme.update(root, store)
    store.save(run_of("nano", "sizes"), changed(sample("nano", "sizes"), "coroutine", value=7.0))
    found = readme.check(root, store)
    assert any(line.startswith(TARGETS) and "verdict: met here, missed by the latest" in line for line in found)
    assert any("sizes: the columns are type, nano, promicro, host, " in line for line in found)
    store.save(run_of("promicro", "sizes"), changed(sample("promicro", "sizes"), "coroutine", value=7.0))
    found = readme.check(root, store)
    assert any("sizes: coroutine, nano, promicro: 5 here, 7 by the latest run" in line for line in found)


def test_a_figure_changed_by_hand_is_stale(root: Path, store: Store) -> None:
    readme.update(root, store)
    edit(root / TARGETS, "|  39.5 |", "|  29.5 |")
    [line] = readme.check(root, store)
    assert "switch through run(), 2 yield points, ours: 29.5 here, 39.5 by the latest run" in line


def test_nanoseconds_and_host_bytes_that_change_are_not_stale(root: Path, store: Store) -> None:
    readme.update(root, store)
    before = (root / "bench/results/host.md").read_text()
    for suite, case in (("auto", "scheduler"), ("sizes", "coroutine")):
        source = project.source_hash(root, suite)
        store.save(run_of("host", suite, source_hash=source), changed(sample("host", suite), case, value=16.0))
    assert readme.check(root, store) == []
    assert readme.update(root, store) == []
    assert readme.update(root, store, everything=True) == ["bench/results/bytes.md", "bench/results/host.md"]
    assert (root / "bench/results/host.md").read_text() != before


def test_nanoseconds_are_stale_when_the_workload_has_changed(root: Path, store: Store) -> None:
    readme.update(root, store)
    write(root / "bench" / "suites" / "auto.cpp", "// two\n")
    [line] = readme.check(root, store)
    assert "host: the workload of auto has changed since run" in line
    assert "of 2025-11-21: ./baton bench --board host" in line
    keep_hashes(root, store)
    assert readme.update(root, store) == ["bench/results/host.md"]
    assert readme.check(root, store) == []


def test_a_case_that_comes_or_goes_is_stale_on_the_host_too(root: Path, store: Store) -> None:
    readme.update(root, store)
    fewer = [r for r in sample("host", "auto") if r.case != "direct"]
    store.save(run_of("host", "auto", source_hash=project.source_hash(root, "auto")), fewer)
    assert any("gone: direct yields=2" in line for line in readme.check(root, store))


def test_what_the_store_lacks_stays_and_cannot_be_checked(root: Path, store: Store, tmp_path: Path) -> None:
    readme.update(root, store)
    before = [(root / name).read_text() for name in suites.pages()]
    with fill(tmp_path / "other.sqlite", ("host",)) as other:
        assert readme.update(root, other) == []
        found = readme.check(root, other)
    assert [(root / name).read_text() for name in suites.pages()] == before
    assert any("auto nano: cannot be checked, nothing is stored for nano auto: ./baton bench" in line for line in found)


def test_with_boards_chosen_only_their_blocks_are_compared(root: Path, store: Store, tmp_path: Path) -> None:
    readme.update(root, store)
    with fill(tmp_path / "other.sqlite", ("nano",)) as other:
        assert readme.check(root, other) != []
        assert readme.check(root, other, ["nano"]) == []
        other.save(run_of("nano", "auto"), changed(sample("nano", "auto"), "direct", value=40.0))
        assert any("auto nano: direct yields=2" in line for line in readme.check(root, other, ["nano"]))


def test_without_a_host_run_the_host_block_is_judged_by_its_source_alone(root: Path, store: Store) -> None:
    readme.update(root, store)
    with fill(root / "other.sqlite", ("nano", "promicro")) as other:
        assert readme.check(root, other) == []
        write(root / "bench" / "suites" / "auto.cpp", "// two\n")
        assert len(readme.check(root, other)) == 1


def test_a_picture_is_drawn_from_its_table_and_stale_where_it_is_not(root: Path, store: Store) -> None:
    readme.update(root, store)
    drawn = ElementTree.fromstring((root / PICTURE).read_text(encoding="utf-8"))
    texts = [text for text in drawn.itertext() if text.strip()]
    assert "a switch from coroutine to coroutine" in texts and "0.38 x" in texts
    assert "105.0, AceRoutine 1.5.1, in simavr" in texts
    bars = [float(each.attrib["width"]) for each in drawn.iter("{http://www.w3.org/2000/svg}rect")][2:4]
    assert bars == [pytest.approx(39.5 / 105 * 421, abs=0.1), 421]
    edit(root / PICTURE, "39.5", "29.5")
    assert readme.check(root, store) == [f"{PICTURE}:1: not the picture of its table in README.md: ./baton bench"]
    assert readme.update(root, store) == [PICTURE]
    (root / PICTURE).unlink()
    assert readme.update(root, store) == [PICTURE]


def test_nothing_stored_says_so(root: Path) -> None:
    with Store(root / "empty.sqlite") as empty:
        readme.update(root, empty)
        assert readme.check(root, empty) == []
    assert "| not measured |" in (root / "README.md").read_text()
    assert "Not measured yet: `./baton bench`." in (root / NANO).read_text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<!-- baton:begin summary -->", "", f"{TARGETS}:4: end of 'summary', but 'no block' is open"),
        ("<!-- baton:end summary -->", "", f"{TARGETS}:8: 'targets' begins inside 'summary'"),
        ("<!-- baton:end targets -->", "", f"{TARGETS}:9: the block 'targets' has no end"),
        ("<!-- baton:end summary -->", "<!-- baton:end idle -->", f"{TARGETS}:4: end of 'idle', but 'summary' is open"),
        ("<!-- baton:begin summary -->", "<!-- baton:begin sumary -->", f"{TARGETS}:3: there is no block 'sumary'"),
        (
            "End.",
            "<!-- baton:begin auto -->\n<!-- baton:end auto -->",
            f"{TARGETS}:6: there is no block 'auto'; blocks:",
        ),
        ("End.", "<!--baton:begin idle-->", f"{TARGETS}:6: not a marker of the form"),
        (
            "# Baton",
            "<!-- baton:begin summary -->\n<!-- baton:end summary -->",
            f"{TARGETS}:4: a second block",
        ),
    ],
)
def test_markers_that_do_not_fit_are_an_error_with_file_and_line(
    root: Path, store: Store, old: str, new: str, message: str
) -> None:
    edit(root / TARGETS, old, new)
    assert any(line.startswith(message) for line in readme.check(root, store)), readme.check(root, store)
    with pytest.raises(readme.ReadmeError) as error:
        readme.update(root, store)
    assert message in str(error.value)


def test_a_required_block_that_is_missing_is_an_error(root: Path, store: Store) -> None:
    write(root / "README.md", "# Baton\n\nText.\n")
    assert "README.md:3: no block <!-- baton:begin disciplines -->" in readme.check(root, store)
    (root / "README.md").unlink()
    assert "README.md:1: no such file" in readme.check(root, store)


def test_the_readme_of_bench_explains_and_holds_no_results() -> None:
    text = (project.ROOT / "bench" / "README.md").read_text(encoding="utf-8")
    assert len(text.encode()) < 16_000
    assert "baton:begin" not in text
    assert all(name.removeprefix("bench/") in text for name in RESULTS)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    root: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(root.iterdir()), (root / "README.md").read_text()

    def full_disk(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        readme.update(root, store)
    assert (sorted(root.iterdir()), (root / "README.md").read_text()) == before
