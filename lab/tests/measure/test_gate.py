# SPDX-License-Identifier: MIT
"""The gate: a seeded slowdown turns it red, equal runs do not, and what cannot be compared is
named.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sample_runs import run_of, sample

from baton_lab.base.case_filter import CaseFilter
from baton_lab.base.project import Project
from baton_lab.base.records import Record
from baton_lab.board.board_files import Board
from baton_lab.board.program_size import SizeError
from baton_lab.check import gate_command
from baton_lab.check.steps import figures
from baton_lab.check.steps.figures import Measurements, gate_step
from baton_lab.check.steps.step import Result
from baton_lab.measure import baselines, board_run, budgets
from baton_lab.measure.baselines import BaselineError, Section
from baton_lab.measure.board_run import BoardResult, Failure
from baton_lab.measure.gate import TOLERANCE, Change, Verdict, judge
from baton_lab.present import history

COMPILER = run_of("nano", "auto").compiler
SLOWER = 1.05


def section(records: list[Record], **changes: float) -> dict[str, Section]:
    figures = {name: value * changes.get(name.split(" ")[0], 1.0) for name, value in baselines.figures(records).items()}
    return {COMPILER: Section(flags="-Os", figures=figures)}


def verdict(records: list[Record], sections: dict[str, Section], suite: str = "auto") -> Verdict:
    return judge(run_of("nano", suite), records, sections)


def slowed(records: list[Record], case: str, factor: float = SLOWER) -> list[Record]:
    return [r.model_copy(update={"value": r.value * factor}) if r.case == case else r for r in records]


def test_with_cases_only_their_figures_are_compared_and_the_others_are_counted() -> None:
    run, records = run_of("nano", "auto"), sample("nano", "auto")
    sections = section(records)
    slow = slowed(records, "run_one")
    assert judge(run, slow, sections, CaseFilter(("run_one",))).is_red
    found = judge(run, slow, sections, CaseFilter(("direct*",)))
    assert not found.is_red and found.compared == 4 and found.left_out == len(records) - 4
    assert not judge(run, [r for r in records if r.case == "direct"], sections, CaseFilter(("direct",))).of("gone")


def test_twenty_equal_runs_stay_green() -> None:
    for suite in ("auto", "channel", "idle", "sizes", "memory"):
        records = sample("nano", suite)
        for _ in range(20):
            found = verdict(sample("nano", suite), section(records), suite)
            assert not found.is_red and not found.remarks() and found.compared == len(records)


@pytest.mark.parametrize("case", sorted({record.case for record in sample("nano", "auto")}))
def test_a_case_that_is_5_percent_slower_turns_it_red_by_name(case: str) -> None:
    records = sample("nano", "auto")
    found = verdict(slowed(records, case), section(records))
    assert found.is_red and {change.name.split(" ")[0].rstrip(",") for change in found.of("rose")} == {case}


def test_a_rise_is_told_with_the_old_and_the_new_value_and_the_command_to_accept_it() -> None:
    records = sample("nano", "auto")
    lines = verdict(slowed(records, "run_one"), section(records)).failures()
    assert lines == [
        "nano auto: run_one yields=2, cycles: was 59.5, is 62.475 (+5.0%; 1% is allowed)",
        "  to accept it: ./baton gate --board nano --suite auto --bless",
    ]


@pytest.mark.parametrize("unit", sorted(TOLERANCE))
def test_the_tolerance_is_met_and_one_step_more_is_not(unit: str) -> None:
    allowed = TOLERANCE[unit]
    assert Change(f"x, {unit}", 1000, 1000 * (1 + allowed)).kind == ""
    assert Change(f"x, {unit}", 1000, 1000 * (1 + allowed) + 0.01).kind == "rose"
    assert Change(f"x, {unit}", 1000, 1000 * (1 - allowed) - 0.01).kind == "fell"


def test_a_byte_more_of_a_small_thing_is_a_rise_and_so_is_anything_from_nothing() -> None:
    assert Change("coroutine, bytes", 5, 6).kind == "rose"
    assert Change("x kind=ram, bytes", 0, 1).kind == "rose"
    assert Change("x kind=ram, bytes", -4, -3).kind == "rose"
    assert Change("x kind=ram, bytes", -4, -4).kind == ""


def test_a_feature_that_grows_by_5_percent_turns_it_red() -> None:
    records = sample("nano", "memory")
    found = verdict(slowed(records, "channel"), section(records), "memory")
    assert [change.name for change in found.of("rose")] == ["channel kind=flash, bytes", "channel kind=ram, bytes"]


def test_an_improvement_is_reported_and_not_red() -> None:
    records = sample("nano", "auto")
    found = verdict(slowed(records, "run_one", 0.9), section(records))
    assert not found.is_red
    assert found.remarks() == ["nano auto: run_one yields=2, cycles: was 59.5, is 53.55 (-10.0%)"]


def test_a_case_that_is_gone_is_red_and_a_new_one_is_named() -> None:
    records = sample("nano", "auto")
    found = verdict(records[1:], section(records))
    assert found.failures()[0] == "nano auto: empty_loop, cycles: no longer measured, was 17"
    found = verdict(records, section(records[1:]))
    assert not found.is_red and found.remarks() == ["nano auto: empty_loop, cycles: not in the baseline, is 17"]


def test_an_unknown_compiler_has_no_baseline_and_is_not_red() -> None:
    records = sample("nano", "auto")
    run = run_of("nano", "auto", compiler="avr-g++ (GCC) 14.1.0")
    found = judge(run, slowed(records, "run_one"), section(records))
    assert not found.is_red and found.compared == 0
    assert found.remarks() == [f"nano auto: no baseline for avr-g++ (GCC) 14.1.0; there is one for {COMPILER}"]


def test_times_have_no_baseline() -> None:
    assert baselines.figures(sample("host", "auto")).keys() == {
        "empty_loop, instructions",
        "scheduler yields=2, instructions",
        "scheduler yields=8, instructions",
    }
    assert baselines.suites(False, ["auto", "sizes", "memory"]) == ["sizes"]
    assert baselines.suites(True, ["auto", "sizes", "memory"]) == ["auto", "sizes", "memory"]


# ---- a tree, its baselines and the command


@pytest.fixture
def tree(project: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch) -> Project:
    """Makes a tree whose measurements are the samples."""
    (project.root / "CMakeLists.txt").write_text("project(baton VERSION 0.1.0 LANGUAGES CXX)\n")
    monkeypatch.setattr(
        gate_command, "measure", lambda project, chosen, wanted, screen: [result(each) for each in chosen]
    )
    return project


def result(board: Board, suites: tuple[str, ...] = ("auto", "channel")) -> BoardResult:
    return BoardResult(board, {suite: (run_of(board.name, suite), sample("nano", suite)) for suite in suites})


def say_why(project: Project) -> None:
    path = project.root / history.PATH
    path.write_text(path.read_text().replace(history.UNSAID, "They are the first."))


def gate(project: Project, *boards: Board, blessing: bool = False) -> int:
    return gate_command.carry_out(project, boards, (), blessing=blessing)


def test_what_is_blessed_is_green_afterwards_and_a_later_rise_is_red(
    tree: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nano = board("nano")
    assert gate(tree, nano, blessing=True) == 0
    say_why(tree)
    assert "wrote bench/baselines/nano/auto.json" in capsys.readouterr().out
    for _ in range(2):
        assert gate(tree, nano) == 0
    assert "26 figures compared with the baselines: 0 rose, 0 fell" in capsys.readouterr().out
    slow = result(nano)
    slow.runs["auto"] = (slow.runs["auto"][0], slowed(slow.runs["auto"][1], "scheduler"))
    monkeypatch.setattr(gate_command, "measure", lambda *words: [slow])
    assert gate(tree, nano) == 1
    printed = capsys.readouterr()
    assert "nano auto: scheduler yields=2, cycles: was 56.5, is 59.325 (+5.0%; 1% is allowed)" in printed.err
    assert "2 rose" in printed.out
    assert gate(tree, nano, blessing=True) == 0
    assert gate(tree, nano) == 0


def test_blessing_changes_only_what_was_measured(tree: Project, board: Callable[[str], Board]) -> None:
    nano = board("nano")
    gate_command.bless(tree, [result(nano), result(board("promicro"))])
    other = tree.root / baselines.FOLDER / "promicro" / "auto.json"
    before = other.stat().st_mtime_ns, other.read_text()
    path = baselines.path_of(tree.root, "nano", "auto")
    content = json.loads(path.read_text())
    path.write_text(json.dumps({"avr-g++ (GCC) 14.1.0": content[COMPILER], COMPILER: {"flags": "", "figures": {}}}))
    assert gate_command.bless(tree, [result(nano, ("auto",))]) == ["bench/baselines/nano/auto.json"]
    assert json.loads(path.read_text()) == {"avr-g++ (GCC) 14.1.0": content[COMPILER], COMPILER: content[COMPILER]}
    assert (other.stat().st_mtime_ns, other.read_text()) == before
    assert gate_command.bless(tree, [result(nano)]) == []


def test_a_suite_that_failed_is_not_blessed_and_makes_the_exit_1(
    tree: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    half = result(board("nano"), ("auto",))
    half.failures.append(Failure("nano", "channel", "it hung"))
    monkeypatch.setattr(gate_command, "measure", lambda *words: [half])
    assert gate(tree, board("nano"), blessing=True) == 1
    assert "nano channel: it hung" in capsys.readouterr().err
    assert sorted(path.name for path in (tree.root / baselines.FOLDER / "nano").iterdir()) == ["auto.json"]


def test_a_figure_that_has_hardly_moved_stays_as_it_was_blessed(tree: Project, board: Callable[[str], Board]) -> None:
    nano = result(board("nano"))
    gate_command.bless(tree, [nano])
    for factor, files in ((1.0004, []), (1.0004, []), (1.002, ["bench/baselines/nano/auto.json"])):
        run, records = nano.runs["auto"]
        moved = BoardResult(nano.board, {"auto": (run, slowed(records, "run_one", factor))})
        assert [name for name in gate_command.bless(tree, [moved]) if "baselines" in name] == files
    assert not baselines.is_steady(None, 0) and not baselines.is_steady(0, 1) and baselines.is_steady(0, 0)


def test_a_figure_a_line_in_a_stable_order(tree: Project, board: Callable[[str], Board]) -> None:
    gate_command.bless(tree, [result(board("nano"))])
    text = baselines.path_of(tree.root, "nano", "auto").read_text()
    assert text.startswith('{\n  "avr-g++ (GCC) 5.4.0": {\n    "flags": "-Os -flto",\n    "figures": {\n')
    assert '\n      "empty_loop, cycles": 17,\n      "direct yields=2, cycles": 32.5,\n' in text


def test_a_baseline_is_replaced_as_a_whole(
    tree: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    gate_command.bless(tree, [result(board("nano"))])
    path = baselines.path_of(tree.root, "nano", "auto")
    before = path.read_text()

    def breaks(self: Path, target: Path) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", breaks)
        with pytest.raises(OSError, match="no space"):
            baselines.write(tree.root, "nano", "auto", "another compiler", Section(flags="", figures={"x, cycles": 1}))
    assert path.read_text() == before and list(path.parent.glob(".*")) == []


def test_a_baseline_that_cannot_be_read_is_red_and_says_how_to_write_it_anew(
    tree: Project, board: Callable[[str], Board]
) -> None:
    gate_command.bless(tree, [result(board("nano"))])
    path = baselines.path_of(tree.root, "nano", "auto")
    path.write_text('{"g++": {"figures": {}}}')
    with pytest.raises(BaselineError, match=r"auto\.json: g\+\+: flags: Field required; .*--bless writes it anew"):
        baselines.read(tree.root, "nano", "auto")
    assert any("auto.json: g++: flags" in line for line in gate_command.assess(tree, [result(board("nano"))]).failures)


def test_a_suite_that_vanished_is_red_and_one_that_was_not_asked_for_is_not(
    tree: Project, board: Callable[[str], Board]
) -> None:
    gate_command.bless(tree, [result(board("nano"))])
    found = gate_command.assess(tree, [result(board("nano"), ("auto",))])
    assert found.failures == ("nano channel: bench/baselines/nano/channel.json stands, and nothing is measured",)
    assert not gate_command.assess(tree, [result(board("nano"), ("auto",))], ["auto"]).failures


# ---- the step of ./baton test


def stepped(project: Project, *boards: Board) -> Result:
    return gate_step(Measurements(boards)).action(project)


def test_the_step_is_skipped_without_any_baseline_green_with_equal_ones_and_red_after_a_rise(
    tree: Project, board: Callable[[str], Board]
) -> None:
    nano = board("nano")
    found = stepped(tree, nano)
    assert (found.passed, found.failed, found.skipped) == (0, 0, 1)
    assert f"nano auto: no baseline for {COMPILER}" in found.notes
    gate_command.bless(tree, [result(nano)])
    say_why(tree)
    assert stepped(tree, nano) == Result(passed=26, notes="26 figures compared with the baselines: 0 rose, 0 fell")
    path = baselines.path_of(tree.root, "nano", "auto")
    path.write_text(path.read_text().replace("59.5", "56.6"))
    history.update(tree.root)
    found = stepped(tree, nano)
    assert found.failed == 2 and "was 56.6, is 59.5" in found.output and found.repeat == "./baton gate"


def test_each_board_is_measured_once_for_all_steps(
    tree: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []

    def measure(project: Project, chosen: list[Board], *words: object) -> list[BoardResult]:
        measured.extend(each.name for each in chosen)
        return [result(each) for each in chosen]

    monkeypatch.setattr(gate_command, "measure", measure)
    measurements = Measurements([board("nano"), board("promicro")])
    names = [step.name for step in figures.steps(measurements)]
    assert names == ["measure nano", "measure promicro", "figures in the READMEs", "gate"]
    for step in figures.steps(measurements)[:2]:
        assert step.action(tree).passed == 2
    measurements.results(tree)
    assert measured == ["nano", "promicro"]


def test_a_board_that_cannot_be_measured_fails_its_own_step(
    tree: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    half = result(board("nano"), ("auto",))
    half.failures.append(Failure("nano", "channel", "it hung"))
    monkeypatch.setattr(gate_command, "measure", lambda *words: [half])
    found = figures.steps(Measurements([board("nano")]))[0].action(tree)
    assert (found.passed, found.failed, found.output) == (1, 1, "nano channel: it hung")


def test_the_host_is_measured_for_the_sizes_of_types_alone(
    project: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.root / "bench" / "suites" / "sizes.cpp").touch()
    assert gate_command.suites_of(project, board("host")) == ["sizes"]
    assert gate_command.suites_of(project, board("nano")) == ["auto", "channel", "sizes"]
    assert board_run.suites(project.root) == ["auto", "channel", "sizes"]


def test_a_board_that_cannot_be_blessed_does_not_keep_the_others_from_it(
    tree: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def bless(project: Project, board: Board) -> bool:
        if board.name == "nano":
            raise SizeError("deadline.elf is no ELF file")
        return False

    monkeypatch.setattr(budgets, "bless", bless)
    monkeypatch.setattr(
        gate_command, "measure", lambda *words: [result(board(n), ("memory",)) for n in ("nano", "promicro")]
    )
    assert gate(tree, board("nano"), board("promicro"), blessing=True) == 1
    printed = capsys.readouterr()
    assert "nano: deadline.elf is no ELF file" in printed.err and "wrote bench/baselines/promicro" in printed.out
