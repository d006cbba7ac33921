# SPDX-License-Identifier: MIT
import re
from typing import get_args

import pytest

from baton_lab.base.project import ROOT
from baton_lab.base.records import FIELDS, STATISTICS, Record, RecordError, Unit, Validity, format_line, parse_line

LINE = (
    "baton-bench/1 suite=auto case=scheduler board=nano unit=cycles iterations=30000 "
    "value=54.500 base=17.000 floor=46.100 valid=simulated yields=2"
)


def parsed(line: str) -> Record:
    record = parse_line(line)
    assert record is not None
    return record


def test_a_line_comes_back_as_it_was() -> None:
    assert format_line(parsed(LINE)) == LINE


def test_the_repeats_come_back_as_they_ran_and_are_no_part_of_the_identity() -> None:
    timed = parsed(LINE.replace(" yields=2", " samples=55.000,54.250,54.50017 yields=2"))
    assert timed.samples == (55, 54.25, 54.50017)
    assert parsed(format_line(timed)) == timed
    assert timed.identity == parsed(LINE).identity
    assert parsed(LINE).samples == ()


def test_a_value_of_more_than_three_decimals_is_not_rounded() -> None:
    record = parsed(LINE.replace("54.500", "54.50017"))
    assert parsed(format_line(record)) == record


def test_net_subtracts_the_counting_work() -> None:
    record = parsed(LINE)
    assert record.net == 37.5
    assert record.net_floor == pytest.approx(29.1)
    assert record.params == {"yields": "2"}


def test_other_text_is_no_record() -> None:
    assert parse_line("hello") is None
    assert parse_line("") is None


def test_statistics_are_no_part_of_the_identity() -> None:
    one, other = parsed(LINE + " repeats=9 min=50.1"), parsed(LINE + " repeats=11 min=50.3")
    assert one.identity == other.identity
    assert one.identity != parsed(LINE.replace("yields=2", "yields=8")).identity


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (LINE.replace("value=54.500 ", ""), "value"),
        (LINE.replace("54.500", "missing"), "value"),
        (LINE.replace("54.500", "nan"), "value"),
        (LINE.replace("17.000", "inf"), "base"),
        (LINE.replace("30000", "0"), "iterations"),
        (LINE.replace("cycles", "ticks"), "unit"),
        (LINE.replace("simulated", "guessed"), "valid"),
        (LINE.replace("simulated", "instructions"), "unit"),
        (LINE.replace("54.500", "5_4"), "value"),
        (LINE.replace("17.000", "+17"), "base"),
        (LINE.replace("30000", "3_0"), "iterations"),
        (LINE.replace("30000", "30.0"), "iterations"),
        (LINE.replace("30000", "9223372036854775808"), "iterations"),
        (LINE + " samples=1.0,much", "samples"),
        (LINE + " samples=1.0,1_0", "samples"),
        (LINE + " samples=1.0,nan", "samples"),
        (LINE + " yields=8", "yields"),
        (LINE + " yields", "yields"),
        (LINE + " clock=", "clock"),
        (LINE.replace("baton-bench/1", "baton-bench/2"), "baton-bench/2"),
    ],
)
def test_a_broken_line_is_refused_by_the_name_of_its_key(line: str, key: str) -> None:
    with pytest.raises(RecordError, match=f"^{key}"):
        parse_line(line)


def test_reads_and_writes_are_an_outcome_and_no_part_of_what_was_measured() -> None:
    line = "baton-bench/1 suite=auto case=direct board=nano unit=cycles iterations=1 value=2 valid=simulated yields=2"
    plain, counted = parse_line(line), parse_line(f"{line} reads=4.000 writes=2.000")
    assert plain and counted and plain.identity == counted.identity
    assert counted.params["reads"] == "4.000"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("unit=cycles", "unit=furlongs", "unit: is 'furlongs'; can be cycles ns instructions bytes in 'baton-bench/1 "),
        ("valid=simulated", "valid=guessed", "valid: is 'guessed'; can be measured simulated approximate modelled ins"),
        ("54.500", "abc", "value: is 'abc'; is to be a finite number in "),
        ("54.500", "nan", "value: is 'nan'; is to be a finite number in "),
        ("iterations=30000", "iterations=0", "iterations: is '0'; is to be a whole number from 1 to 92"),
        ("floor=46.100", "floor=46.1 samples=1,x", "samples: is 'x'; is to be finite numbers with commas between in "),
    ],
)
def test_a_wrong_value_is_named_with_what_it_can_be(old: str, new: str, message: str) -> None:
    with pytest.raises(RecordError) as raised:
        parse_line(LINE.replace(old, new))
    assert message in str(raised.value)


@pytest.mark.parametrize("rest", [" samples=" + ",".join(["1.5"] * 9000) + " x=1 valid=guessed", " " + "x" * 9000])
def test_the_message_about_a_very_long_line_can_be_read(rest: str) -> None:
    with pytest.raises(RecordError) as raised:
        parse_line(LINE.replace(" valid=simulated", "") + rest)
    assert len(str(raised.value)) < 400


def test_the_readme_describes_the_line_as_it_is_read() -> None:
    text = (ROOT / "bench" / "README.md").read_text(encoding="utf-8")
    part = text.partition("## The record line\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in part.splitlines() if line.startswith("| `")]
    named = {key: (needed, value) for keys, needed, value in rows for key in re.findall("`([a-z]+)`", keys)}
    assert set(named) - set(FIELDS) <= STATISTICS and set(FIELDS) <= set(named)
    assert re.findall("`([a-z]+)`", named["unit"][1]) == [*get_args(Unit)]
    assert re.findall("`([a-z]+)`", named["valid"][1]) == [*get_args(Validity)]
    example = next(line for line in part.splitlines() if line.startswith("baton-bench/1 "))
    assert parsed(example).chosen == {"producers": "4"}
    for key in FIELDS:
        without = re.sub(rf" {key}=\S+", "", example)
        if named[key][0] == "yes":
            with pytest.raises(RecordError, match=f"^{key}: missing"):
                parse_line(without)
        else:
            assert parse_line(without) is not None
