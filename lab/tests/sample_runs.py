# SPDX-License-Identifier: MIT
"""Runs with every case that the contract names, for the tests of tables."""

from datetime import UTC, datetime
from pathlib import Path

from baton_lab.base.records import Record, parse_line
from baton_lab.base.store import Run, Store

HASH = "0123456789abcdef"

AVR = {
    "auto": """
empty_loop value=17 base=17 floor=17
direct value=32.5 floor=32.5 yields=2
direct value=34.5 floor=32.5 yields=8
direct_profiled value=112.5 floor=32.5 yields=2 clock=16
direct_profiled value=173.5 floor=32.5 yields=2 clock=32
scheduler value=56.5 floor=46.1 yields=2
scheduler value=65 floor=46.1 yields=8
scheduler_profiled value=135 floor=46.1 yields=2 clock=16
scheduler_profiled value=196.5 floor=46.1 yields=2 clock=32
scheduler_profiled value=143.5 floor=46.1 yields=8 clock=16
scheduler_profiled value=212.5 floor=46.1 yields=8 clock=32
run_one value=59.5 floor=46.1 yields=2
published_direct value=30.5
published_direct_profiled value=45.5
published_scheduler value=58.125
published_scheduler_profiled value=72
compat_scheduler value=100 flags=board
compat_scheduler_one_yield value=84 flags=board
""",
    "channel": """
message value=298 base=117 floor=241 channels=1
message value=321 base=117 floor=241 channels=2
message_deadline value=516 base=117 floor=241 channels=1
call value=398 base=61 floor=301 bytes=4
call value=1190 base=61 floor=1003 bytes=64
published_baseline value=110 base=110
published_channels value=208 base=110
compat_message value=611 base=101 flags=board
""",
    "idle": "".join(f"{k} value={100 + n * c} base=100 n={n}\n" for k, c in
                    (("delaying", 0), ("awaiting", 11.5), ("suspended", 0)) for n in range(9)),
}  # fmt: skip
COUNTED = {
    "auto": """
empty_loop value=5 base=5 reads=1 writes=1
direct value=20 base=5 floor=15 reads=4 writes=2 yields=2
scheduler value=22.75 base=7.25 floor=18.25 reads=6.25 writes=3 yields=2
published_direct value=16 base=5 floor=11 reads=4 writes=2
published_scheduler value=26 base=5 floor=14.5 reads=8 writes=5
""",
    "channel": """
message value=96.125 base=30 floor=60 reads=24 writes=20 channels=1
call value=139 base=20 floor=100 reads=30 writes=22 bytes=4
published_channels value=131 base=28 reads=40 writes=30
""",
    "idle": "".join(f"{k} value={50 + n * c} base=50 n={n}\n" for k, c in
                    (("delaying", 0), ("awaiting", 0), ("polling", 21)) for n in (0, 4, 8)),
    "srr": """
send_receive_reply value=300 base=8 reads=150 writes=50 bytes=4 first=receiver optimized=yes
send_receive_reply value=400 base=8 reads=200 writes=100 bytes=64 first=sender optimized=yes
reply_receive value=200 base=8 reads=100 writes=50 bytes=4 first=receiver optimized=yes
send_receive_reply value=1300 base=30 reads=500 writes=300 bytes=4 first=receiver optimized=no
task_switch value=87 base=6 reads=44 writes=30 optimized=yes
""",
}  # fmt: skip
TIMED = {
    ("versatilepb", "srr"): """
send_receive_reply value=500 base=8 bytes=4 first=receiver optimized=yes code_misses=0.004 read_misses=0.5 \
cold_code_misses=30 cold_read_misses=20 cold_write_misses=10 timing=arm920t
send_receive_reply value=700 base=8 bytes=64 first=sender optimized=yes timing=arm920t
reply_receive value=300 base=8 bytes=4 first=receiver optimized=yes timing=arm920t
send_receive_reply value=2000 base=30 bytes=4 first=receiver optimized=no timing=arm920t
task_switch value=150 base=6 optimized=yes timing=arm920t
""",
    ("rp2040", "auto"): """
empty_loop value=5 base=5 timing=cortex-m0plus
direct value=20.5 base=5 yields=2 timing=cortex-m0plus
published_direct value=16 base=5 timing=cortex-m0plus
""",
    ("mps2-an386", "auto"): """
empty_loop value=8 base=8 timing=cortex-m4
direct value=33 base=8 yields=2 timing=cortex-m4
""",
}
"""Approximate cycles beside what was counted."""
WIDER = """
coroutine value=12
delaying_coroutine value=20
channel<int> value=12
"""
BYTES = {
    "sizes": """
coroutine value=5
delaying_coroutine value=9
channel_coroutine value=8
deadline_coroutine value=19
scheduler value=6
channel<int> value=3
compat_coroutine value=16
endpoint<int,int> value=3
log_bin_profiler value=66
""",
    "memory": """
blink value=398 kind=flash
blink value=14 kind=ram
json_renderer value=980 kind=flash
json_renderer value=90 kind=ram
log_bin_profiler value=520 kind=flash
log_bin_profiler value=84 kind=ram
one_coroutine value=150 kind=flash
one_coroutine value=6 kind=ram
scheduler_one_coroutine value=448 kind=flash
scheduler_one_coroutine value=12 kind=ram
scheduler_two_coroutines value=522 kind=flash
scheduler_two_coroutines value=22 kind=ram
table_renderer value=1204 kind=flash
table_renderer value=88 kind=ram
channel value=210 kind=flash
channel value=8 kind=ram
""",
}
HOST = {
    "auto": """
empty_loop value=0.24 base=0.24 min=0.24 max=0.26
direct value=1.32 base=0.24 floor=1.1 yields=2 min=1.3 max=1.5
scheduler value=2.91 base=0.24 floor=1.99 yields=2 min=2.85 max=3.4
scheduler value=3.18 base=0.24 floor=1.99 yields=8 min=3.1 max=3.3
scheduler_profiled value=24.6 base=0.24 floor=1.99 yields=2 clock=32 min=24.1
""",
    "channel": """
message value=6.21 base=0.5 floor=3.9 channels=1 min=6.05 max=6.9
call value=23.4 base=0.5 floor=18.9 bytes=64 min=22.8 max=25.2
""",
    "srr": """
send_receive_reply value=25.7 base=0.5 floor=18.5 bytes=64 first=receiver optimized=yes min=25 max=27
task_switch value=4.5 base=0.5 floor=2.5 optimized=yes min=4.4 max=5
""",
    "async": """
switch value=4.8 base=0 floor=3.6 min=4.7 max=5.2
rendezvous value=9.1 base=0 floor=5.2 min=9 max=9.6
call value=33 base=0 floor=24 bytes=64 min=31 max=36
event value=3 base=0 floor=2.5 types=predictable min=2.9 max=3.3
event value=10 base=0 floor=9.5 types=random min=9.8 max=11
cross_thread value=5 base=0 floor=4 producers=1 min=4.9 max=9
cross_thread value=6 base=0 floor=5 producers=2 min=5.5 max=9
cross_thread value=7 base=0 floor=6 producers=4 min=6.5 max=9
spawn value=12 base=0 floor=6.6 min=11.5 max=13
timer value=110 base=0 floor=90 min=100 max=130
timer_cancel value=9 base=0 floor=7 min=8.8 max=10
""",
    "service": """
coroutine value=14 base=0 floor=10 min=13 max=16 handled=10 pushed=10 peak_bytes=3200000 threads=1
event_steady value=12 base=0 floor=7 min=11 max=14 threads=1
event_drain value=20 base=0 floor=16 min=19 max=23 threads=1
event_handler value=27 base=0 floor=22.5 min=26 max=29 threads=1
start_stop value=180 base=0 floor=120 min=170 max=200 threads=1
start value=1000 base=0 floor=500 n=100 threads=1
start value=1000 base=0 floor=500 n=1000 threads=1
start value=1100 base=0 floor=550 n=10000 threads=1
start value=1200 base=0 floor=600 n=100000 threads=1
start value=1300 base=0 floor=650 n=1000000 threads=1
start value=900 base=0 floor=450 n=10000 threads=8
serialize value=250 base=0 floor=200 min=240 bytes_per_s=240000000 peak_bytes=4300000 library=rapidjson threads=1
serialize value=150 base=0 floor=100 min=140 max=160 bytes_per_s=400000000 library=simdjson threads=1
serialize value=300 base=0 floor=250 min=290 max=310 bytes_per_s=200000000 library=boost_json threads=8
two_threads value=16 base=0 floor=16 work=event_handler threads=2
two_threads value=120 base=0 floor=100 work=start_stop threads=2
""",
    "realtime": """
latency value=98303 min=37543 p50=98303 p99=114687 p999=229375 max=4433352 missed=25 \
hist=98303:9000,5242879:1000 deadline=200000 NORMAL
payload value=458751 min=406012 p50=458751 p99=458751 p999=458751 max=5185715 missed=22 \
hist=458751:9978,5242879:22 deadline=1000000 NORMAL
latency value=57343 min=23004 p50=57343 p99=98303 p999=114687 max=114687 missed=0 \
hist=57343:9999,114687:1 deadline=200000 FIFO
""".replace("NORMAL", "scheduling=normal throttle=950000 granted=none refused=none").replace(
        "FIFO", "scheduling=fifo throttle=-1 granted=fifo,pinned refused=locked"
    ),
}
HOST_BYTES = {
    "async": "spawn value=64 by=pool\n",
    "service": """
event_memory value=83300000 floor=82900000 events=5000000 threads=1
event_memory value=640000000 floor=630000000 events=5000000 threads=8
""",
}
COUNTS = {
    "auto": """
empty_loop value=2 base=2
scheduler value=21 base=2 floor=14 yields=2
scheduler value=22.5 base=2 floor=14 yields=8
""",
    "channel": "message value=61 base=4 floor=38 channels=1\n",
}


COUNTING = {
    "mps2-an386": "unit=instructions valid=instructions",
    "esp32c3": "unit=instructions valid=instructions",
    "versatilepb": "unit=instructions valid=instructions",
    "rp2040": "unit=cycles valid=approximate",
}
"""Boards of the sample that count reads and writes, too."""


def records(suite: str, board: str, text: str, how: str) -> list[Record]:
    """Makes records of lines without their common words."""
    made = []
    for line in filter(None, text.splitlines()):
        case, rest = line.split(" ", 1)
        own_base = "" if "base=" in rest or "bytes" in how or suite == "memory" else " base=17"
        start = f"baton-bench/1 suite={suite} case={case} board={board} iterations=10000"
        record = parse_line(f"{start} {how} {rest}{own_base}")
        assert record is not None
        made.append(record)
    return made


def sample(board: str, suite: str) -> list[Record]:
    """Returns the records of a suite on a board that the contract expects."""
    if suite == "sizes" and board in COUNTING:
        return records(suite, board, WIDER, "unit=bytes valid=measured")
    if suite in COUNTED and board in COUNTING:
        timed = records(suite, board, TIMED.get((board, suite), ""), "unit=cycles valid=approximate")
        return records(suite, board, COUNTED[suite], COUNTING[board]) + timed
    if suite in BYTES:
        return records(suite, board, BYTES[suite], "unit=bytes valid=measured")
    if board == "host":
        times = records(suite, board, HOST.get(suite, ""), "unit=ns valid=measured repeats=25")
        times += records(suite, board, HOST_BYTES.get(suite, ""), "unit=bytes valid=measured")
        return times + records(suite, board, COUNTS.get(suite, ""), "unit=instructions valid=instructions")
    return records(suite, board, AVR.get(suite, ""), "unit=cycles valid=simulated")


def run_of(board: str, suite: str, **changes: object) -> Run:
    """Returns the circumstances of a made-up run."""
    compiler = "g++ (Debian 12.2.0-14) 12.2.0" if board == "host" else "avr-g++ (GCC) 5.4.0"
    return Run.model_validate(
        {
            "started": datetime(2025, 11, 21, 12, 0, tzinfo=UTC),
            "board": board,
            "suite": suite,
            "commit": "61eaaf6c0ffee",
            "dirty": False,
            "compiler": compiler,
            "flags": "-O2" if board == "host" else "-Os -flto",
            "machine": {"cpu": "Test CPU", "system": "Linux-6.1"},
            "source_hash": HASH,
        }
        | changes
    )


def fill(path: Path, boards: tuple[str, ...] = ("nano", "promicro", "host")) -> Store:
    """Makes a store with one run of each suite on each board."""
    store = Store(path)
    for board in boards:
        for suite in ("auto", "channel", "idle", "sizes", "memory"):
            if board != "host" or suite not in ("idle", "memory"):
                store.save(run_of(board, suite), sample(board, suite))
    return store
