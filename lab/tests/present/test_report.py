# SPDX-License-Identifier: MIT
import os
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sample_runs import fill, records, run_of, sample

from baton_lab.base.store import Store
from baton_lab.present import report
from baton_lab.present.plot_style import VARIABLES

LOADS = {"src", "href", "xlink:href", "action", "formaction", "data", "poster", "srcset", "background", "cite", "ping"}
PLOTS = ["switch", "message", "auto", "channel", "idle", "sizes", "host", "memory"]
EVIL = "<script>alert(1)</script>&\"'"


class Page(HTMLParser):
    """The content of a page in a browser."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.styles: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(key, value or "") for key, value in attrs]

    def handle_data(self, data: str) -> None:
        (self.styles if self.tags and self.tags[-1] == "style" else self.text).append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())

    def ids(self) -> list[str]:
        return [value for key, value in self.attributes if key == "id"]


def page(store: Store, folder: Path) -> Page:
    return Page(report.write(folder / "out", store).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Page:
    folder = tmp_path_factory.mktemp("report")
    with fill(folder / "runs.sqlite") as store:
        return page(store, folder)


def test_nothing_is_loaded_from_anywhere(full: Page) -> None:
    loads = [value for key, value in full.attributes if key in LOADS]
    assert loads
    assert [value for value in loads if not value.startswith("#")] == [report.TARGETS_NAME]
    assert "a" in full.tags  # a link is no load
    css = " ".join(full.styles + [value for key, value in full.attributes if key in ("style", "clip-path", "fill")])
    assert [url for url in re.findall(r"url\((.*?)\)", css) if not url.startswith("#")] == []
    assert "@import" not in css
    assert "@font-face" not in css
    assert not {"script", "link", "iframe", "img", "object", "embed"} & set(full.tags)
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in full.attributes


def test_every_plot_is_there_with_its_units_and_how_it_was_obtained(full: Page) -> None:
    assert [each for each in full.ids() if each.startswith("plot-")] == [f"plot-{name}" for name in PLOTS]
    assert full.tags.count("figure") == len(PLOTS) < full.tags.count("svg")
    assert full.words.count(": no record of") == 5  # of select, srr, thread_metric, preemption, realtime
    for words in (
        "Microseconds, net of the empty loop",
        "Cycles on the nano; Baton is simulated. AceRoutine 1.5.1 is modelled",
        "Cycles on the nano, simulated, gross",
        "Nanoseconds an iteration, measured on this machine",
        "Bytes more than the empty program on the nano, by the linker",
    ):
        assert words in full.words


def test_plots_take_their_colours_from_the_page_and_keep_their_ids_apart(full: Page) -> None:
    assert [key for key, count in Counter(full.ids()).items() if count > 1] == []
    used = " ".join(value for _, value in full.attributes)
    assert not any(colour in used for colour in VARIABLES)
    assert "var(--ours)" in used
    known = set(re.findall(r"(--[a-z-]+):", " ".join(full.styles)))
    assert set(re.findall(r"var\((--[a-z-]+)\)", used + " ".join(full.styles))) <= known
    references = {value[1:] for key, value in full.attributes if key in LOADS and value.startswith("#")}
    assert references <= set(full.ids())


def test_the_tables_targets_and_circumstances_are_there(full: Page) -> None:
    for words in (
        "avr-g++ (GCC) 5.4.0 -Os -flto",
        "cpu Test CPU, system Linux-6.1",
        "61eaaf6c0ffe",
        "nano: auto, simulated cycles at 16 MHz, beside AceRoutine on real hardware",
        "It does not charge interrupt entry",
        "./baton bench",
        "1 to 13 , 2025-11-21",
    ):
        assert words in full.words
    assert full.words.count("host: auto, measured nanoseconds") == 1
    places = [
        full.words.index(text) for text in ("0.38 x", "The published documents, line by line", "Microseconds, net")
    ]
    assert places == sorted(places) and "AutoBenchmark, AceRoutine 1.5.1" in full.words[places[1] : places[2]]


def test_the_first_thing_is_ours_beside_others_and_our_score_is_on_a_page_of_its_own(
    full: Page, tmp_path: Path
) -> None:
    first = full.words[: full.words.index("The published documents")]
    assert "a switch from coroutine to coroutine" in first and "39.5 Baton 105.0 AceRoutine 1.5.1, in simavr" in first
    assert "not measured: a call between tasks, 4 bytes" in first
    for word in ("verdict", "target at most", "missed by", "Judged by the latest"):
        assert word not in full.words
    with fill(tmp_path / "runs.sqlite") as store:
        report.write(tmp_path / "out", store)
    own = Page((tmp_path / "out" / report.TARGETS_NAME).read_text(encoding="utf-8"))
    assert "23 met, 1 missed, 75 not measured" in own.words
    assert {value for key, value in own.attributes if key in LOADS} == {report.FILE_NAME}
    assert "script" not in own.tags and "Targets: nano" in own.words
    shown, folded = own.words.split("Not measured 75 targets")
    assert shown.count("not measured") == 1 and folded.count("not measured") == 75


def test_a_point_names_its_run_and_leads_to_its_row(full: Page) -> None:
    links = [value for key, value in full.attributes if key == "href" and value.startswith("#run-")]
    assert len(links) > 40 and {value[1:] for value in links} <= set(full.ids())
    assert "nano published_scheduler: 58.125 cycles, run 1 of 2025-11-21" in full.words
    assert "host scheduler yields=2: 2.91 ns, run 11 of 2025-11-21" in full.words


def test_boards_that_count_instructions_stand_apart_from_those_that_count_cycles(tmp_path: Path) -> None:
    with fill(tmp_path / "runs.sqlite", ("nano", "rp2040", "mps2-an386")) as store:
        made = page(store, tmp_path)
    for words in (
        "auto: cycles an operation, net of the counting work",
        "auto: instructions an operation, net of the counting work",
        "auto: reads + writes an operation, gross",
        "auto: instructions of the programs that AceRoutine has published, beside its microseconds",
        "rp2040: auto, approximate cycles at 48 MHz, beside AceRoutine on real hardware",
        "What n idle coroutines add to one round, cycles",
        "What n idle coroutines add to one round, instructions",
        "none: QEMU has no ESP32, and no board was seen",
    ):
        assert words in made.words, words
    assert "samd21 (rp2040)" in made.words
    assert "teensy32 (" not in made.words  # instructions are no microseconds, so not in that plot


def test_missing_plots_are_left_out_and_named(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        store.save(run_of("nano", "auto"), sample("nano", "auto"))
        made = page(store, tmp_path)
    assert [each for each in made.ids() if each.startswith("plot-")] == ["plot-switch", "plot-auto"]
    assert "What idle coroutines add to one round: no record of the suite idle in cycles" in made.words
    assert "Nanoseconds on the host: no record in nanoseconds" in made.words
    assert made.words.count("not measured: an idle task, each round; a message") == 1


def test_an_empty_store_makes_a_page_that_says_so(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        made = page(store, tmp_path)
    assert "Nothing is stored yet: ./baton bench" in made.words
    assert "svg" not in made.tags


def test_text_from_records_and_runs_is_escaped_everywhere(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        changes = dict.fromkeys(("commit", "compiler", "flags"), EVIL)
        lines = f"message{EVIL} value=300 base=17 channels={EVIL}\nmessage value=298 base=117 channels=1 mhz=16"
        for board in (f"b{EVIL}", "nano"):
            made = records("channel", board, lines, "unit=cycles valid=simulated")
            times = records("auto", board, f"x{EVIL} value=3 min=2", "unit=ns valid=measured")
            store.save(run_of(board, "channel", machine={EVIL: EVIL}, **changes), made + times)
        path = report.write(tmp_path / "out", store)
    text = path.read_text(encoding="utf-8")
    assert "<script" not in text
    shown = Page(text)
    assert "script" not in shown.tags
    assert shown.words.count("<script>alert(1)</script>") > 10
    assert "plot-message" in shown.ids()
    assert "plot-host" in shown.ids()


def test_a_killed_or_failed_write_leaves_the_report_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(handle: int) -> None:
        raise OSError(28, "No space left on device")

    with fill(tmp_path / "runs.sqlite", ("nano",)) as store:
        path = report.write(tmp_path / "out", store)
        before = path.read_bytes()
        monkeypatch.setattr(os, "fsync", full_disk)
        with pytest.raises(OSError, match="No space"):
            report.write(tmp_path / "out", store)
    assert path.read_bytes() == before
    assert sorted(each.name for each in path.parent.iterdir()) == [report.FILE_NAME, report.TARGETS_NAME]


def test_the_report_is_small_and_the_same_for_the_same_runs(tmp_path: Path) -> None:
    with fill(tmp_path / "runs.sqlite") as store:
        now = run_of("nano", "auto").started
        first, second = report.render(store, now), report.render(store, now)
    assert first == second
    assert len(first) < 400_000
