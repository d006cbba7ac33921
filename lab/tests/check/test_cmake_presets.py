# SPDX-License-Identifier: MIT
"""Every board has its presets, by its own name; and the check of that finds faults."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from baton_lab.base.project import ROOT
from baton_lab.board.board_files import load, names

KINDS = ("configurePresets", "buildPresets", "testPresets")
TARGETS = {"all", "all_verify_interface_header_sets", "mutants"}
NARROW = {name: {"all", "mutants"} for name in ("host-asan", "host-coverage")}  # other presets check the headers


def faults(presets: dict[str, Any], boards: dict[str, tuple[str, ...]]) -> list[str]:
    """Finds the faults of CMakePresets.json for these boards and the presets that they build."""
    by_name = {kind: {preset["name"]: preset for preset in presets[kind]} for kind in KINDS}
    found = [f"{kind} names one twice" for kind in KINDS if len(by_name[kind]) != len(presets[kind])]
    for board, wanted in boards.items():
        if board not in wanted:
            found.append(f"{board}: board.toml: preset is {' '.join(wanted)}")
        for name in wanted:
            found += _faults_of_one(by_name, board, name)
    for kind in KINDS[1:]:
        for name, preset in by_name[kind].items():
            if not preset.get("hidden") and preset.get("configurePreset") != name:
                found.append(f"{kind} {name} is of {preset.get('configurePreset')}")
    return found


def _faults_of_one(by_name: dict[str, dict[str, Any]], board: str, name: str) -> list[str]:
    lacking = [f"{board}: {kind} has no {name}" for kind in KINDS if name not in by_name[kind]]
    if lacking:
        return lacking
    found = []
    configured = str(_inherited(by_name["configurePresets"], name, "BATON_BOARD")).replace("${presetName}", name)
    if configured != board:
        found.append(f"{board}: preset {name} configures {configured}")
    if set(_inherited(by_name["buildPresets"], name, "targets") or []) != NARROW.get(name, TARGETS):
        found.append(f"{board}: preset {name} does not build everything, each header alone and the mutants")
    return found


def _inherited(presets: dict[str, Any], name: str, key: str) -> Any:
    """Returns the value of a key or a cache variable, the preset's own or an inherited one."""
    preset = presets[name]
    own = {**preset, **preset.get("cacheVariables", {})}
    if key in own:
        return own[key]
    above = preset.get("inherits", [])
    for parent in [above] if isinstance(above, str) else above:
        if value := _inherited(presets, parent, key):
            return value
    return None


@pytest.fixture
def presets() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    return found


BOARDS = {name: load(ROOT / "boards" / name / "board.toml").presets for name in names(ROOT)}


def test_every_board_has_its_presets(presets: dict[str, Any]) -> None:
    assert {"host", "nano", "mps2-an386"} <= set(BOARDS)
    assert faults(presets, BOARDS) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_preset_is_found(presets: dict[str, Any], kind: str) -> None:
    spoiled = copy.deepcopy(presets)
    spoiled[kind] = [preset for preset in spoiled[kind] if preset["name"] != "nano"]
    assert f"nano: {kind} has no nano" in faults(spoiled, {"nano": ("nano",)})


def test_a_preset_of_another_board_or_name_is_found(presets: dict[str, Any]) -> None:
    spoiled = copy.deepcopy(presets)
    next(preset for preset in spoiled["configurePresets"] if preset["name"] == "nano")["inherits"] = "host"
    next(preset for preset in spoiled["buildPresets"] if preset["name"] == "promicro")["targets"] = ["all"]
    next(preset for preset in spoiled["testPresets"] if preset["name"] == "promicro")["configurePreset"] = "nano"
    assert faults(spoiled, {"nano": ("nano",), "promicro": ("promicro",)}) == [
        "nano: preset nano configures host",
        "promicro: preset promicro does not build everything, each header alone and the mutants",
        "testPresets promicro is of nano",
    ]
    assert "nano: board.toml: preset is promicro" in faults(presets, {"nano": ("promicro",)})
