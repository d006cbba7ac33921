# SPDX-License-Identifier: MIT
"""./baton gate --bless writes the budgets that are missing or exceeded, beside the board's baselines."""

from collections.abc import Callable
from pathlib import Path

import elf_files
import pytest
from sample_runs import run_of, sample

from baton_lab.base.project import Project
from baton_lab.board.board_files import BadInputError, Board, load
from baton_lab.check import gate_command
from baton_lab.measure import board_run, budgets
from baton_lab.measure.board_run import BoardResult
from baton_lab.measure.budgets import Budget

CHIP = "[memory]\nflash_bytes = 32768\nram_bytes = 2048\n"


@pytest.fixture
def nano(project: Project, board: Callable[[str], Board]) -> Board:
    """A board with a chip, an example and two features, all of them built."""
    path = project.root / "boards" / "nano" / "board.toml"
    path.write_text(path.read_text() + CHIP)
    example = project.root / "examples" / "01_blink"
    example.mkdir(parents=True)
    (example / "main.cpp").touch()
    features = project.root / "bench" / "suites" / "memory"
    features.mkdir()
    for name in ("channel", "empty"):
        (features / f"{name}.cpp").touch()
        built(project, f"bench/memory/{name}.elf", 200, 8)
    built(project, "examples/01_blink.elf", 1214, 53)
    return board("nano")


def built(project: Project, name: str, flash: int, ram: int) -> Path:
    return elf_files.write(project.preset("nano") / name, elf_files.program(flash, ram))


def granted(project: Project) -> dict[str, tuple[int, int]]:
    board = load(project.root / "boards" / "nano" / "board.toml")
    return {name: (budget.flash, budget.ram) for name, budget in budgets.read(project, board).items()}


def test_what_is_missing_is_written_with_headroom_and_then_there_is_no_problem(project: Project, nano: Board) -> None:
    assert "no budget for 01_blink channel empty" in budgets.problems(project, nano)
    assert budgets.bless(project, nano)
    assert granted(project) == {"01_blink": (1280, 56), "channel": (224, 8), "empty": (224, 8)}
    assert budgets.problems(project, nano) == ""
    assert not budgets.bless(project, nano)


def test_a_budget_that_is_kept_stays_and_one_that_is_exceeded_is_raised(project: Project, nano: Board) -> None:
    budgets.bless(project, nano)
    built(project, "examples/01_blink.elf", 900, 40)
    assert not budgets.bless(project, nano)
    built(project, "examples/01_blink.elf", 1281, 40)
    assert "01_blink: 1281 bytes of flash, and its budget is 1280" in budgets.problems(project, nano)
    assert budgets.bless(project, nano)
    assert granted(project)["01_blink"] == (1376, 44) and granted(project)["channel"] == (224, 8)


def test_the_budget_of_a_program_that_is_gone_goes(project: Project, nano: Board) -> None:
    budgets.bless(project, nano)
    (project.root / "bench" / "suites" / "memory" / "channel.cpp").unlink()
    assert budgets.bless(project, nano)
    assert list(granted(project)) == ["01_blink", "empty"]


def test_the_file_says_what_it_is_and_the_description_of_the_board_stays(project: Project, nano: Board) -> None:
    description = project.root / "boards" / "nano" / "board.toml"
    before = description.read_text()
    budgets.bless(project, nano)
    assert description.read_text() == before
    assert budgets.path_of(project, nano).read_text() == (
        budgets.HEAD + '"01_blink" = { flash = 1280, ram = 56 }\n"channel" = { flash = 224, ram = 8 }\n'
        '"empty" = { flash = 224, ram = 8 }\n'
    )


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("flash = -500, ram = 40", "2: [budgets.01_blink] flash: it should be greater than or equal to 0"),
        ("rom = 5, ram = 40", "2: [budgets.01_blink] rom: there is no such key; did you mean ram? Allowed: flash ram"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_line(project: Project, nano: Board, row: str, said: str) -> None:
    path = budgets.path_of(project, nano)
    path.parent.mkdir(parents=True)
    path.write_text(f'[budgets]\n"01_blink" = {{ {row} }}\n')
    with pytest.raises(BadInputError) as error:
        budgets.read(project, nano)
    assert said in str(error.value)


def test_the_file_is_replaced_as_a_whole(project: Project, nano: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    budgets.bless(project, nano)
    path = budgets.path_of(project, nano)
    before = path.read_text()
    built(project, "examples/01_blink.elf", 5000, 40)

    def breaks(self: Path, target: Path) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", breaks)
        with pytest.raises(OSError, match="no space"):
            budgets.bless(project, nano)
    assert path.read_text() == before and list(path.parent.glob(".*")) == []


@pytest.mark.parametrize(("kind", "size", "budget"), [("flash", 0, 0), ("flash", 1, 32), ("flash", 1000, 1056),
                                                      ("ram", 0, 0), ("ram", 3, 4), ("ram", 100, 108)])  # fmt: skip
def test_the_headroom(kind: str, size: int, budget: int) -> None:
    assert budgets.with_headroom(kind, size) == budget


def test_a_board_without_a_chip_has_no_budgets(project: Project, board: Callable[[str], Board]) -> None:
    assert budgets.problems(project, board("promicro")) == "" and not budgets.bless(project, board("promicro"))


def test_kept_budgets_are_the_same_objects() -> None:
    kept = Budget(flash=100, ram=10)
    made = budgets.granted({"a": kept, "gone": kept}, {"a": {"flash": 100, "ram": 10}, "b": {"flash": 64, "ram": 0}})
    assert made == {"a": kept, "b": Budget(flash=96, ram=0)}


def test_a_program_over_its_budget_turns_the_gate_red_with_its_name(project: Project, nano: Board) -> None:
    budgets.bless(project, nano)
    board = load(project.root / "boards" / "nano" / "board.toml")
    result = BoardResult(board, {board_run.MEMORY: (run_of("nano", "memory"), sample("nano", "memory"))})
    assert gate_command.assess(project, [result], [board_run.MEMORY]).failures == ()
    built(project, "examples/01_blink.elf", 5000, 40)
    (failure,) = gate_command.assess(project, [result], [board_run.MEMORY]).failures
    assert failure.startswith("nano 01_blink: 5000 bytes of flash, and its budget is 1280; largest first:")
