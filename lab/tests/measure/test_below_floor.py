# SPDX-License-Identifier: MIT
"""A case below its floor has a sentence, or is named."""

import re
from pathlib import Path

import pytest
from sample_runs import run_of

from baton_lab.base.records import Record, parse_line
from baton_lab.measure import below_floor, suites
from baton_lab.measure.gate import judge
from baton_lab.present.rows import cases
from baton_lab.present.tables import cpu_grids

RESULTS = Path(__file__).parents[3] / "bench" / "results"


def record(words: str, suite: str = "service") -> Record:
    found = parse_line(f"baton-bench/1 suite={suite} board=host iterations=9 {words}")
    assert found
    return found


@pytest.mark.parametrize(
    ("words", "below"),
    [
        ("case=a unit=cycles value=98 floor=100 valid=simulated", True),
        ("case=a unit=cycles value=99.5 floor=100 valid=simulated", False),
        ("case=a unit=instructions value=60 base=50 floor=61 valid=instructions", True),
        ("case=a unit=bytes value=8 valid=simulated", False),
        ("case=a unit=ns value=90 floor=100 min=80 max=99 valid=measured", True),
        ("case=a unit=ns value=90 floor=100 min=80 max=101 valid=measured", False),
        ("case=a unit=ns value=90 floor=100 samples=90,90,90,90,90,90,90,150 valid=measured", True),
        ("case=a unit=ns value=90 floor=100 samples=90,90,90,90,101,105,105,150 valid=measured", False),
    ],
)
def test_a_case_is_below_its_floor_by_more_than_the_noise(words: str, below: bool) -> None:
    assert below_floor.is_below(record(words)) is below


def test_a_case_below_its_floor_is_named_unless_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    known = suites.Suite(name="service", below_floor={"event": "its floor is in small pages", "event n=5": "few"})
    monkeypatch.setattr(suites, "of", lambda name: known)
    low = "unit=ns value=9 floor=20 min=9 max=9 valid=measured"
    named, other, far = (record(f"{case} {low}") for case in ("case=event", "case=event n=5", "case=eventful"))
    assert below_floor.unexplained([named, other]) == []
    assert below_floor.unexplained([far]) == [
        "eventful: 9 ns, and its floor 20; mend the floor, or say why in suites.toml"
    ]
    assert below_floor.explained([named, other, far]) == ["event: its floor is in small pages", "event n=5: few"]
    (grid,) = cpu_grids("host", "service", cases([named, far]))
    assert "below its floor, event: its floor is in small pages" in grid.notes


def test_the_gate_is_red_for_a_count_below_its_floor() -> None:
    low = record("case=a unit=instructions value=50 floor=60 valid=instructions")
    found = judge(run_of("host", "service"), [low, record("case=b unit=ns value=5 floor=6 valid=measured")], {})
    assert found.is_red and found.failures() == [
        "host service: a: 50 instructions, and its floor 60; mend the floor, or say why in suites.toml"
    ]


def test_each_row_of_the_tables_below_its_floor_has_a_sentence() -> None:
    missing = []
    for suite, case, ratio in _ratios((RESULTS / "host.md").read_text(encoding="utf-8")):
        label = f"{case} ".replace("`", "")
        known = suites.of(suite).below_floor
        if ratio < 0.95 and not any(label.startswith(f"{key} ") for key in known):
            missing.append(f"{suite}: {label}{ratio}")
    assert missing == []


def _ratios(text: str) -> list[tuple[str, str, float]]:
    """The suite, the case and the figure of each row with a ratio to a floor."""
    suite, head, found = "", [""], []
    for line in text.splitlines():
        if title := re.match(r"\*{0,2}host: (\w+)", line.lstrip("#* ")):
            suite = title[1]
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if "x floor" in cells:
            head = cells
        elif len(cells) == len(head) and "x floor" in head and head[0] == "Functionality":
            ratio = cells[head.index("x floor")]
            found += [(suite, cells[0], float(ratio))] if re.fullmatch(r"[\d.]+", ratio) else []
    assert len(found) > 20
    return found
