# SPDX-License-Identifier: MIT
"""The page of a trace as text: self-contained, safe against names, small, and with every bar in its columns."""

from __future__ import annotations

import base64
import json
import re
from itertools import accumulate

import pytest
from trace_programs import trace_of

from baton_lab.trace import columns, html_page
from baton_lab.trace.model import Event, Kind, Name, Node, Trace
from baton_lab.trace.spans import State, spans

MOST_BYTES = 12_000_000
MANY = 1_000_000


def page(trace: Trace) -> str:
    return html_page.render(trace, spans(trace))


def described(text: str) -> dict[str, list[dict[str, object]]]:
    found = re.search(r'id="trace">(.*?)</script>', text)
    assert found
    read = json.loads(found[1])
    assert isinstance(read, dict)
    return read


def column(text: str, name: str) -> list[int]:
    found = re.search(rf'id="column-{name}" data-width="(\d)" data-count="(\d+)">([^<]*)<', text)
    assert found
    width = next(each for each in columns.CODES if each == int(found[1]))
    return list(columns.unpack(base64.b64decode(found[3]), width, int(found[2])))


def test_the_page_asks_nobody() -> None:
    text = page(trace_of(1, 300, nodes=2))
    without_data = re.sub(r'(<script type="application/octet-stream"[^>]*>)[^<]*', r"\1", text)
    for word in ("http:", "https:", "//www", "src=", "href=", "url(", "@import", "import(", "fetch(", "XMLHttpRequest",
                 "WebSocket", "EventSource", "sendBeacon", "<link", "<img", "<iframe"):  # fmt: skip
        assert word not in without_data, word
    assert "default-src 'none'" in text


def test_the_columns_hold_every_bar() -> None:
    trace = trace_of(4, 2000, tasks=5, nodes=2)
    made, text = spans(trace), page(trace)
    rows = described(text)["rows"]
    gaps, lengths, states = (column(text, name) for name in ("gap", "length", "state"))
    at, found = 0, []
    for row in rows:
        count = row["bars"]
        assert isinstance(count, int)
        ends = list(accumulate(g + n for g, n in zip(gaps[at : at + count], lengths[at : at + count], strict=True)))
        found += [
            (row["node"], row["name"], end - length, end, state & 15)
            for end, length, state in zip(ends, lengths[at : at + count], states[at : at + count], strict=True)
        ]
        at += count
    expected = [
        (index, trace.nodes[index].label(bar.who), bar.begin, bar.end, int(bar.state))
        for index, each in enumerate(made.nodes)
        for bar in each.bars
    ]
    assert sorted(found, key=str) == sorted(expected, key=str)
    waits = [bar for each in made.nodes for bar in each.bars if bar.state is State.waiting]
    whats = described(text)["whats"]
    named = [whats[what]["object"] for what, state in zip(column(text, "what"), states, strict=True) if state & 15 == 2]
    assert len(named) == len(waits)
    assert sorted(set(map(str, named))) == sorted({
        "a timer" if bar.on == 0 else trace.nodes[0].label(bar.on) for bar in waits
    })  # fmt: skip


def test_a_name_cannot_end_the_script_or_become_markup() -> None:
    wild = "</script><b onload='x'>&\u2028"
    node = Node(wild, 1000, {1: Name(wild, "task", wild, 3)}, events=[Event(0, Kind.run, 1), Event(5, Kind.done, 1)])
    text = page(Trace([node], source=wild))
    assert "<b onload" not in text and "\u2028" not in text.split('id="trace"')[1]
    assert described(text)["rows"][0]["name"] == wild


@pytest.mark.parametrize("simulated", [False, True])
def test_the_page_says_that_it_is_simulated_and_what_is_lost(simulated: bool) -> None:
    node = Node("n", 1000, events=[Event(0, Kind.overflow, 0, 0, 1234), Event(1, Kind.run, 1)], lost=1234)
    text = page(Trace([node], simulated=simulated))
    assert (">simulated<" in text) == simulated
    assert "1,234 events lost" in text
    assert (column(text, "lost-gap"), column(text, "lost-total")) == ([0], [1234])


def test_a_trace_without_events_is_a_page() -> None:
    assert described(page(Trace()))["rows"] == []
    assert column(page(Trace([Node("n", 1)])), "gap") == []


def test_a_million_events_fit_in_twelve_megabytes() -> None:
    assert len(page(trace_of(7, MANY, tasks=40)).encode()) < MOST_BYTES
