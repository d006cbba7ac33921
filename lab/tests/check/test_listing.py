# SPDX-License-Identifier: MIT
"""The listing in docs/switch-cost.md follows the code's path, and a stale page is found."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]

DISASSEMBLY = """
00000010 <baton::scheduler::run()>:
  10:\tsbis\t0x1e, 0\t; 30
  12:\trjmp\t.+2      \t; 0x16 <baton::scheduler::run()+0x6>
  14:\tsleep
  16:\tldd\tr22, Y+4\t; 0x04
  18:\ticall
  1a:\tsbrc\tr24, 7
  1c:\trjmp\t.+6      \t; 0x24 <baton::scheduler::run()+0x14>
  1e:\tsts\t0x0100, r28\t; 0x800100 <tail>
  22:\trjmp\t.-20     \t; 0x10 <baton::scheduler::run()>
  24:\tret

00000030 <baton::coroutine<blink, baton::plain>::run_(baton::job*, unsigned char)>:
  30:\tcpi\tr22, 0x01\t; 1
  32:\tbreq\t.+4      \t; 0x38
  34:\tldi\tr24, 0x01\t; 1
  36:\tret
  38:\tcbi\t0x05, 5\t; 5
  3a:\tldi\tr24, 0x02\t; 2
  3c:\tret
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("listing", ROOT / "docs" / "switch" / "listing.py")
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "listing", loaded)
    spec.loader.exec_module(loaded)
    monkeypatch.setattr(loaded, "PAGE", tmp_path / "page.md")
    return loaded


@pytest.fixture
def objdump(tmp_path: Path) -> str:
    """Makes a program that prints the disassembly, for all arguments."""
    program = tmp_path / "objdump"
    program.write_text(f"#!/bin/sh\ncat <<'EOT'{DISASSEMBLY}EOT\n", encoding="utf-8")
    program.chmod(0o755)
    return f"--objdump={program}"


def page(module: ModuleType, text: str) -> None:
    module.PAGE.write_text(f"# T\n\n{module.BEGIN}\n{text}\n{module.END}\n", encoding="utf-8")


def test_one_switch_is_followed_over_skips_jumps_and_comparisons(module: ModuleType, objdump: str) -> None:
    page(module, "")
    module.main(["a.elf", objdump])
    lines = module.PAGE.read_text(encoding="utf-8").splitlines()
    names = [line.split()[0] for line in lines if line.startswith("  ")]
    assert names == ["sbrc", "sts", "rjmp", "sbis", "rjmp", "ldd", "icall", "cpi", "breq", "cbi", "ldi", "ret"]
    assert "together 22 cycles without the work" in lines  # 2+2+2+1+2+2+3, then 1+2+1+4 without the work's 2


def test_a_fresh_listing_passes_and_a_stale_one_does_not(module: ModuleType, objdump: str) -> None:
    page(module, "")
    module.main(["a.elf", objdump])
    module.main(["--check", "a.elf", objdump])
    text = module.PAGE.read_text(encoding="utf-8")
    module.PAGE.write_text(text.replace("icall               3", "icall               2"), encoding="utf-8")
    with pytest.raises(SystemExit, match="stale"):
        module.main(["--check", "a.elf", objdump])


def test_an_instruction_that_it_does_not_know_is_an_error(module: ModuleType, objdump: str, tmp_path: Path) -> None:
    program = tmp_path / "objdump"
    program.write_text(program.read_text(encoding="utf-8").replace("\tldd\t", "\tlpm\t"), encoding="utf-8")
    page(module, "")
    with pytest.raises(SystemExit, match="does not know how long lpm takes"):
        module.main(["a.elf", objdump])
