# SPDX-License-Identifier: MIT
"""The load of the HTTP server: what wrk, /proc and callgrind say, and the arithmetic of turns."""

import os
from pathlib import Path

import pytest

from baton_lab.base.records import format_line, parse_line
from baton_lab.board.board_files import BadInputError
from baton_lab.command import http_command
from baton_lab.measure import http_instructions, http_turns
from baton_lab.measure.http_loads import HEY, WRK, Load, TurnError
from baton_lab.measure.http_turns import FLOOR, NGINX, SERVER, WORKERS, Turn

REPORT = """Running 3s test @ http://localhost:8080/hello
  1 threads and 100 connections
  133590 requests in 3.00s, 15.54MB read
Requests/sec:  44526.12
"""
STAT = "7 (a (b) c) S 1 7 7 0 -1 4194304 100 0 0 0 87 129 5 6 20 0 1 0 12345 0 0"


HEY_REPORT = """
Summary:
  Total:\t3.0012 secs
  Requests/sec:\t30511.1234

Status code distribution:
  [200]\t91570 responses
"""


def test_a_report_without_failures_has_the_requests() -> None:
    assert WRK.requests_in(REPORT) == 133590
    assert HEY.requests_in(HEY_REPORT) == 91570


@pytest.mark.parametrize(
    ("load", "report", "why"),
    [
        (WRK, REPORT + "  Non-2xx or 3xx responses: 4\n", "Non-2xx"),
        (WRK, REPORT + "  Socket errors: connect 0, read 2, write 0, timeout 0\n", "Socket errors"),
        (WRK, "unable to connect", "no line"),
        (HEY, HEY_REPORT + "  [503]\t3 responses\n", r"\[503\]"),
        (HEY, HEY_REPORT + "\nError distribution:\n  [1]\tGet: EOF\n", "Error distribution"),
        (HEY, "Summary:\n", "no line"),
    ],
)
def test_a_report_with_failures_or_without_requests_is_none(load: Load, report: str, why: str) -> None:
    with pytest.raises(TurnError, match=f"{load.name}: {why}"):
        load.requests_in(report)


def test_a_load_says_its_connections_and_its_time() -> None:
    words = HEY.words(100, 3, "http://localhost:1/hello")
    assert words == ["hey", "-cpus", "1", "-c", "100", "-z", "3s", "http://localhost:1/hello"]
    assert HEY.words(200, 3, "u")[4] == "100"
    assert WRK.words(7, 1, "u") == ["wrk", "--threads=1", "--connections=7", "--duration=1s", "u"]


def test_a_server_that_keeps_connections_begins_no_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_turns, "START_LIMIT_S", 0.05)
    mine = os.getpid()
    server = http_turns.Server(SERVER, mine, 1, 1, http_turns.files_of(mine) - 2)
    with pytest.raises(TurnError, match="server keeps 2 connections of the turn before"):
        server.turn(tmp_path, 1)


def test_the_records_of_another_load_name_it() -> None:
    turns = {SERVER: [Turn(1000, (1.0,))], FLOOR: [Turn(1000, (1.0,))]}
    made = http_turns.records(turns, "", HEY)
    assert made[0].params["load"] == "hey"
    assert "load" not in http_turns.records(turns, "")[0].params
    assert http_command.verdicts(made)[0].startswith("the server to its floor, by hey, requests")


def test_the_time_of_a_thread_is_its_own_and_the_systems() -> None:
    assert http_turns.seconds_of(STAT, 100) == pytest.approx(2.16)


def test_each_thread_is_looked_at(tmp_path: Path) -> None:
    for thread in ("7", "8"):
        (tmp_path / "7" / "task" / thread).mkdir(parents=True)
        (tmp_path / "7" / "task" / thread / "stat").write_text(STAT, encoding="utf-8")
    assert set(http_turns.threads_of(7, tmp_path)) == {"7", "8"}


def test_what_was_spent_before_does_not_count() -> None:
    assert http_turns.spent({"7": 1.0}, {"7": 3.0, "8": 0.5}) == (2.0, 0.5)


def test_a_ratio_is_the_median_of_pairs_and_not_of_sums() -> None:
    ours = [Turn(100, (1.0,)), Turn(100, (2.0,)), Turn(90, (1.0,))]
    floor = [Turn(100, (1.0,)), Turn(100, (1.0,)), Turn(100, (1.0,))]
    found = http_turns.ratio(ours, floor)
    assert (found.middle, found.least, found.most) == pytest.approx((0.9, 0.5, 1.0))


def test_the_share_is_that_of_the_lesser_of_the_two_busy_threads() -> None:
    assert Turn(1, (0.0, 0.4, 0.6)).share == pytest.approx(0.4)
    assert Turn(1, (1.0,)).share == 0.0


def test_the_records_have_ratios_and_can_be_read_back() -> None:
    one = [Turn(1000, (1.0,)), Turn(1000, (1.0,))]
    turns = {
        SERVER: one,
        FLOOR: [Turn(1250, (1.0,)), Turn(1000, (1.0,))],
        WORKERS: [Turn(900, (0.5, 0.5)), Turn(900, (0.4, 0.6))],
        NGINX: one,
    }
    made = http_turns.records(turns, "1.22.1")
    assert [parse_line(format_line(record)) for record in made] == made
    server, workers, nginx = made
    assert server.value == pytest.approx(1e6)
    assert (server.params["to_floor"], server.params["to_floor_min"], server.params["to_floor_max"]) == (
        "0.900",
        "0.800",
        "1.000",
    )
    assert (workers.params["to_one"], workers.params["share"], workers.params["share_min"]) == (
        "0.900",
        "0.450",
        "0.400",
    )
    assert nginx.params["peer_version"] == "1.22.1"
    said = http_command.verdicts(made)
    assert [line.rpartition(": ")[2] for line in said] == ["missed", "met", "met"]


def test_callgrinds_file_has_a_total() -> None:
    assert http_instructions.total("events: Ir\ntotals: 20623508\n", Path("bench_http")) == 20623508
    with pytest.raises(TurnError, match="counted nothing of bench_http"):
        http_instructions.total("", Path("bench_http"))


def test_nginx_is_one_process_that_answers_alike() -> None:
    text = http_turns.nginx_text(8080, Path("/scratch"))
    assert "master_process off" in text
    assert 'listen 127.0.0.1:8080; location = /hello { default_type "text/plain; charset=utf-8"' in text


def test_the_run_is_alone() -> None:
    http_command.require_alone([])
    with pytest.raises(BadInputError, match="without nano --peers"):
        http_command.require_alone(["nano", "--peers"])
