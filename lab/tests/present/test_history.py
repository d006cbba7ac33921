# SPDX-License-Identifier: MIT
"""bench/HISTORY.md: tables by the tool, reasons by a person, and neither touches the other."""

import pytest
from sample_runs import run_of, sample

from baton_lab.base.project import Project
from baton_lab.measure import baselines
from baton_lab.measure.baselines import Section
from baton_lab.present import history
from baton_lab.present.history import HistoryError

NEW_COMPILER = "avr-g++ (GCC) 7.3.0"


@pytest.fixture
def tree(project: Project) -> Project:
    work_on(project, "0.1.0")
    bless(project)
    return project


def work_on(project: Project, version: str) -> None:
    (project.root / "CMakeLists.txt").write_text(f"project(baton VERSION {version} LANGUAGES CXX)\n")


def bless(project: Project, factor: float = 1.0, compiler: str = run_of("nano", "auto").compiler) -> None:
    for board in ("nano", "promicro"):
        for suite in ("auto", "sizes"):
            figures = baselines.figures(sample(board, suite))
            if (board, suite) == ("nano", "auto"):
                figures["run_one yields=2, cycles"] *= factor
            used = compiler if board == "nano" else run_of(board, suite).compiler
            baselines.write(project.root, board, suite, used, Section(flags="-Os", figures=figures))
    history.update(project.root)


def text(project: Project) -> str:
    return (project.root / history.PATH).read_text()


def write(project: Project, changed: str) -> None:
    (project.root / history.PATH).write_text(changed)


def say(project: Project, why: str) -> None:
    write(project, text(project).replace(history.UNSAID, why))


def test_the_first_release_holds_every_figure_and_asks_for_a_reason(tree: Project) -> None:
    assert "| run_one yields=2                       |  59.5 |     59.5 |" in text(tree)
    assert "| nano     | avr-g++ (GCC) 5.4.0 |" in text(tree) and "**Changes**" not in text(tree)
    assert history.check(tree.root) == ["bench/HISTORY.md:8: say under Why what changed in the figures, and why"]
    say(tree, "It is the first.")
    assert history.check(tree.root) == []


def test_what_a_person_wrote_stays_when_the_tables_change(tree: Project) -> None:
    say(tree, "It is the first.\n\nAnd the <b>best</b> | of all.")
    bless(tree, 2.0)
    assert "It is the first.\n\nAnd the <b>best</b> | of all." in text(tree) and " 119.0 |" in text(tree)
    assert history.check(tree.root) == []
    assert not history.update(tree.root)


def test_figures_that_are_not_those_of_the_baselines_are_stale(tree: Project) -> None:
    say(tree, "It is the first.")
    write(tree, text(tree).replace(" 59.5 |", " 58.5 |", 1))
    (problem,) = history.check(tree.root)
    assert "the tables of 0.1.0 are not those of the baselines" in problem


def test_a_new_release_shows_what_changed_and_leaves_the_old_one_alone(tree: Project) -> None:
    say(tree, "It is the first.")
    old = text(tree).partition("## 0.1.0")[2]
    work_on(tree, "0.2.0")
    bless(tree, 1.1)
    new = text(tree)
    assert new.endswith("## 0.1.0" + old) and new.index("## 0.2.0") < new.index("## 0.1.0")
    assert "| nano  | auto  | run_one yields=2, cycles |   59.5 | 65.5 | +10.1% |" in new
    assert history.check(tree.root) == [
        "bench/HISTORY.md:8: say under Why what changed in the figures of nano, and why"
    ]
    say(tree, "On the nano a call more.")
    assert history.check(tree.root) == []


def test_a_new_compiler_is_a_change_that_needs_a_reason(tree: Project) -> None:
    say(tree, "It is the first.")
    work_on(tree, "0.2.0")
    bless(tree, compiler=NEW_COMPILER)
    assert "| nano     | avr-g++ (GCC) 7.3.0 | avr-g++ (GCC) 5.4.0" in text(tree)
    say(tree, "The nanosecond is not the board.")
    assert history.check(tree.root) == [
        "bench/HISTORY.md:8: say under Why what changed in the figures of nano, and why"
    ]


def test_a_release_without_changes_needs_a_word_and_says_so(tree: Project) -> None:
    say(tree, "It is the first.")
    work_on(tree, "0.2.0")
    bless(tree)
    assert "every figure is within the gate's tolerance of the release before" in text(tree)
    say(tree, "Nothing.")
    assert history.check(tree.root) == []


def test_tables_read_back_are_what_was_written(tree: Project) -> None:
    now = history.collect(tree.root)
    back = history.parse(history.markdown(None, now))
    assert (back.compilers, back.figures) == (now.compilers, now.figures)
    assert ("nano", "sizes", "endpoint<int,int>, bytes") in back.figures
    assert history.differences(back, now) == [] and history.changed_boards(back, now) == []


def test_cycles_and_instructions_never_share_a_table(project: Project) -> None:
    for board, suite in (("nano", "auto"), ("host", "auto")):
        section = Section(flags="", figures=baselines.figures(sample(board, suite)))
        baselines.write(project.root, board, suite, run_of(board, suite).compiler, section)
    lines = history.markdown(None, history.collect(project.root)).splitlines()
    headers = [line for line in lines if line.startswith("| case")]
    assert len(headers) == 2 and not any("nano" in line and "host" in line for line in headers)


@pytest.mark.parametrize("marker", [history._BEGIN, history._END])
def test_a_release_without_its_markers_is_refused_with_file_and_line(tree: Project, marker: str) -> None:
    write(tree, text(tree).replace(marker.format("0.1.0"), "\n"))
    with pytest.raises(HistoryError, match=r"bench/HISTORY\.md:8: 0\.1\.0 needs one line <!-- baton:release begin"):
        history.update(tree.root)


def test_without_baselines_there_is_no_history(project: Project) -> None:
    assert not history.update(project.root) and history.check(project.root) == []
