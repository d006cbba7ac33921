# SPDX-License-Identifier: MIT
"""The document of the service framework: its lines, its example in real time, and its HEAD as it ran here."""

from __future__ import annotations

from baton_lab.base.records import Record
from baton_lab.measure.interleaved_runs import PEER
from baton_lab.measure.published_service import FRAMEWORK, THREADS, PublishedBenchmark, service
from baton_lab.measure.seeds import Document, Ours, seeds
from baton_lab.measure.variants import VARIANT
from baton_lab.present.grid import table
from baton_lab.present.machine import named, processors
from baton_lab.present.seed_rows import Figure, Found, Row, Shown, Source, missing, reasons


def lines(document: Document, source: Source) -> list[Shown]:
    """Its lines by containers, allocator and threads, then the example in real time and the HEAD."""
    own = source.latest(document.board, document.suite)
    built = {run[1][0].params.get(VARIANT, ""): run for run in source.variants() if run[1]}
    if own:
        built[""] = own
    made: list[Shown] = []
    for key in dict.fromkeys((r.containers, r.allocator, r.threads) for r in service().rows):
        variant = seeds().ichor.variant[key[1]]
        lines = [r for r in service().rows if (r.containers, r.allocator, r.threads) == key]
        rows = [_service_row(line, built.get(variant), variant) for line in lines]
        count = processors(built[variant][0]) if variant in built else None
        given = {
            "key": key,
            "variant": variant,
            "threads": THREADS[key[2]],
            "processors": count,
            "framework": FRAMEWORK,
        }
        grid = table("seeds_service", rows, **given, is_first=not made, source=service(), reasons=reasons(rows))
        made.append(_on(built.get(variant), Shown(grid, rows)))
    real_time = source.latest(document.board, "realtime")
    return [*made, _on(real_time, _realtime(real_time)), _on(own, _head(document, own))]


def _on(found: Found | None, shown: Shown) -> Shown:
    """The table with the machine of its run."""
    return shown._replace(grid=named([shown.grid], found[0])[0]) if found else shown


def _service_row(theirs: PublishedBenchmark, found: Found | None, variant: str) -> Row:
    name = f"{theirs.benchmark} {theirs.library or ''}".strip()
    ours = seeds().ichor.benchmark[theirs.benchmark]
    if found is None:
        command = f"./baton bench {'--variant all' if variant else '--board host --suite service'}"
        return Row(name, name, theirs, because=f"no run is stored: {command}")
    more = {"threads": str(THREADS[theirs.threads])} | ({VARIANT: variant} if variant else {})
    peak = (ours.peak or ours).find(found[1], ("bytes", "ns"), **more)
    if theirs.library:
        more["library"] = seeds().ichor.library[theirs.library]
    record = ours.find(found[1], ("ns",), **more)
    if record is None:
        return Row(name, name, theirs, because=f"the run has no {ours.case} with {theirs.library or theirs.threads}")
    held = peak.value if peak and peak.unit == "bytes" else record.number("peak_bytes")
    return Row(name, name, theirs, _figure(record, peak=held, rate=record.number("bytes_per_s")))


def _figure(record: Record, **more: float | None) -> Figure:
    return Figure(record, record.value, record.unit, record.valid, **more)


def disciplines(document: Document, source: Source) -> list[tuple[str, Row, Record | None]]:
    """The disciplines of services: a name, ours beside the HEAD, and the best peer of the same run."""
    found = source.latest(document.board, document.suite)
    rows = {row.group: row for row in _head(document, found).rows if row.is_first}
    made = []
    for name, work in seeds().ichor.discipline.items():
        [ours, *_] = seeds().ours(document.rows, work)
        peers = [r for r in found[1] if PEER in r.params and _same(r, ours)] if found else []
        made.append((name, rows[work], min(peers, key=lambda record: record.value, default=None)))
    return made


def _same(record: Record, ours: Ours) -> bool:
    """True for a peer's time of the same work."""
    chosen = {key: value for key, value in record.chosen.items() if key != PEER}
    return (record.case, record.unit, chosen) == (ours.case, "ns", ours.params)


def _realtime(found: Found | None) -> Shown:
    rows = []
    for name, throttle in seeds().ichor.throttle.items():
        theirs = getattr(service().realtime, name)
        chosen = [r for r in found[1] if r.case == "payload" and r.params.get("throttle") == throttle] if found else []
        record = next((r for r in chosen if r.params.get("scheduling") == "fifo"), None)
        if record is None:
            because = f"no run has the throttle {throttle}: ./baton bench --board host --suite realtime"
            rows.append(Row(name, name, (throttle, theirs), because=because))
            continue
        least, most, mean = (record.number(key) for key in ("min", "max", "mean"))
        ours = _figure(record, least=least, most=most, rate=mean)
        rows.append(Row(name, name, (throttle, theirs), ours))
    return Shown(table("seeds_realtime", rows, source=service(), reasons=reasons(rows)), rows)


def _head(document: Document, found: Found | None) -> Shown:
    records = found[1] if found else []
    rows: list[Row] = []
    for theirs in service().head.rows:
        for number, ours in enumerate(seeds().ours(document.rows, theirs.work)):
            time, count = (ours.find(records, (unit,)) for unit in ("ns", "instructions"))
            figures = [_figure(record) if record else None for record in (time, count)]
            because = "" if time or count else missing(document.board, document.suite, ours)
            name = f"- {ours.label}" if number else theirs.work
            rows.append(Row(theirs.work, name, theirs, figures[0], None, because, number == 0, figures[1]))
    return Shown(table("seeds_head", rows, source=service(), reasons=reasons(rows)), rows)
