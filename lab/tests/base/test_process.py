# SPDX-License-Identifier: MIT
import time
from pathlib import Path

from conftest import script

from baton_lab.base.process import last_lines, run
from baton_lab.board import host_program


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_program_within_its_limit(tmp_path: Path) -> None:
    outcome = run(["sh", "-c", "echo out; echo err >&2; exit 3"], cwd=tmp_path, limit_s=10)
    assert (outcome.code, outcome.output, outcome.ok) == (3, "out\nerr\n", False)
    assert outcome.how == "ended with 3"


def test_a_program_beyond_its_limit_is_stopped_with_its_children_and_keeps_its_output(tmp_path: Path) -> None:
    outcome = run(["sh", "-c", "sleep 60 & echo $!; wait"], cwd=tmp_path, limit_s=0.5)
    assert outcome.timed_out and not outcome.ok and "did not end" in outcome.how
    deadline = time.monotonic() + 5
    while is_running(int(outcome.output)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(int(outcome.output))


def test_a_program_that_ignores_a_polite_end_is_killed(tmp_path: Path) -> None:
    outcome = run(["sh", "-c", "trap '' TERM; echo on; while :; do sleep 1; done"], cwd=tmp_path, limit_s=0.5)
    assert outcome.timed_out and outcome.output == "on\n" and outcome.seconds < 20


def test_a_signal_is_named(tmp_path: Path) -> None:
    assert "SIGSEGV" in run(["sh", "-c", "kill -SEGV $$"], cwd=tmp_path, limit_s=10).how


def test_garbage_bytes_are_shown_and_not_raised(tmp_path: Path) -> None:
    assert "\ufffd" in run(["printf", r"\377\376"], cwd=tmp_path, limit_s=10).output


def test_last_lines() -> None:
    assert last_lines("\n\na\nb\nc\n\n", 2) == "b\nc"


def test_a_host_program_that_never_ends_is_over_after_its_lines(tmp_path: Path) -> None:
    program = script(tmp_path / "p", "while :; do echo tick; done")
    outcome = host_program.run(program, cwd=tmp_path, wall_s=10, lines=3, send=())
    assert (outcome.ok, outcome.output) == (True, "tick\n" * 3)


def test_a_host_program_is_fed_at_its_times(tmp_path: Path) -> None:
    program = script(tmp_path / "p", 'cat; echo "end"')
    outcome = host_program.run(program, cwd=tmp_path, wall_s=10, lines=None, send=("0:a", "200:b"))
    assert (outcome.ok, outcome.output) == (True, "abend\n")
    assert outcome.seconds >= 0.2


def test_a_host_program_that_ends_before_its_lines_keeps_its_code(tmp_path: Path) -> None:
    program = script(tmp_path / "p", "echo one; exit 4")
    outcome = host_program.run(program, cwd=tmp_path, wall_s=10, lines=3, send=())
    assert not outcome.ok and outcome.output == "one\n"


def test_a_silent_host_program_is_stopped(tmp_path: Path) -> None:
    program = script(tmp_path / "p", "sleep 60")
    assert host_program.run(program, cwd=tmp_path, wall_s=0.5, lines=1, send=()).timed_out
