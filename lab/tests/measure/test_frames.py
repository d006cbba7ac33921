# SPDX-License-Identifier: MIT
from collections.abc import Callable
from pathlib import Path

import pytest

from baton_lab.base.project import Project
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.check.steps import frames as frames_step
from baton_lab.measure import frames

NANO = """other: frame and pooled bytes of 1 coroutines
    15     16  counts()

async_boards_everything: frame and pooled bytes of 2 coroutines
    61     64  adds_up()
    44     48  sends(unsigned int)
"""
M4 = NANO.replace("    61     64", "   144    144").replace(
    "    44     48  sends(unsigned int)", "   100    112  sends(unsigned short)"
)
TABLE = """| coroutine | nano | m4 |
| --- | --: | --: |
| `adds_up` | 61 (64) | 144 (144) |
| `sends` | 44 (48) | 100 (112) |"""


def made(**texts: str) -> str:
    return frames.table({board: frames.read(text)[frames.KEPT] for board, text in texts.items()})


def test_a_report_is_read_by_program() -> None:
    assert frames.read(NANO)["other"] == {"counts()": (15, 16)}
    assert frames.read(NANO)[frames.KEPT] == {"adds_up()": (61, 64), "sends(unsigned int)": (44, 48)}


def test_a_coroutine_has_one_row_whatever_its_parameters_are_called() -> None:
    assert made(nano=NANO, m4=M4) == TABLE


def test_a_table_that_is_true_differs_in_nothing_and_a_board_that_was_not_measured_is_left_alone() -> None:
    assert frames.differences(TABLE, made(nano=NANO, m4=M4)) == []
    assert frames.differences(TABLE, made(nano=NANO)) == []


def test_a_frame_that_has_grown_is_found() -> None:
    [found] = frames.differences(TABLE, made(nano=NANO.replace("    61     64", "    65     72")))
    assert found == ("docs/frames.md: nano: adds_up is 61 (64), and was measured as 65 (72): ./baton frames --write")


def test_a_coroutine_that_is_gone_or_new_is_found() -> None:
    assert len(frames.differences(TABLE, made(nano=NANO.replace("adds_up", "sums_up")))) == 2


def test_a_table_is_written_between_its_marks(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    document = tmp_path / frames.DOCUMENT
    document.write_text("nothing\n")
    with pytest.raises(BadInputError, match="there is no line"):
        frames.write(tmp_path, TABLE)
    document.write_text(f"before\n{frames.BEGIN}\n{frames.END}\nafter\n")
    frames.write(tmp_path, TABLE)
    assert frames.kept(tmp_path) == TABLE
    assert document.read_text().startswith("before\n") and document.read_text().endswith("after\n")


@pytest.mark.parametrize(
    ("report", "failed"), [(NANO, 0), (NANO.replace("    61     64", "    65     72"), 1), ("", 0)]
)
def test_the_step_fails_where_the_document_is_stale(
    project: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch, report: str, failed: int
) -> None:
    (project.root / "docs").mkdir()
    (project.root / frames.DOCUMENT).write_text(f"{frames.BEGIN}\n{made(nano=NANO)}\n{frames.END}\n")
    monkeypatch.setattr(frames, "measure", lambda project, board: report)
    result = frames_step.step([board("nano")]).action(project)
    assert (result.failed, result.passed > 0) == (failed, True)
