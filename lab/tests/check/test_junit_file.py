# SPDX-License-Identifier: MIT
"""The file of --junit has a testsuite per step and a testcase per test, in the form that Jenkins reads."""

from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from rich.console import Console

from baton_lab.base.process import Outcome
from baton_lab.base.project import Project
from baton_lab.check.junit_file import NO_SKIPS, Ended, document
from baton_lab.check.steps.step import Case, Result, Step, of_junit
from baton_lab.command import step_list

NOW = datetime(2025, 11, 21, 12, 30, tzinfo=UTC)
CTEST = """<testsuite name="Linux" tests="3" failures="1">
<testcase name="core.ring" classname="core.ring" time="0.25" status="run"><system-out>fine</system-out></testcase>
<testcase name="core.job" classname="core.job" time="1.5" status="fail"><failure message=""/>
<system-out>job.cpp:3: &lt;40&gt; is not 41</system-out></testcase>
<testcase name="core.old" classname="core.old" time="0" status="disabled"><skipped message="Disabled"/></testcase>
</testsuite>"""
PYTEST = """<testsuites><testsuite name="pytest">
<testcase classname="tests.base.test_store" name="test_it[a]" time="0.1">
<failure message="assert 1 == 2">def test_it(): assert 1 == 2</failure></testcase></testsuite></testsuites>"""
ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors", "disabled"},
    "testsuite": {"name", "tests", "failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id"},
    "testcase": {"name", "classname", "time", "assertions", "status"},
    "failure": {"message", "type"},
    "skipped": {"message", "type"},
    "system-out": set[str](),
}
"""The attributes that the schema of Jenkins knows."""
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase", "system-out", "system-err"},
    "testcase": {"skipped", "error", "failure", "system-out", "system-err"},
}


def check_form(element: Element) -> None:
    assert set(element.attrib) <= ATTRIBUTES[element.tag], element.tag
    for child in element:
        assert child.tag in CHILDREN[element.tag], child.tag
        check_form(child)
    if element.tag == "testsuite":
        cases = element.findall("testcase")
        counts = [len(cases), *(len(element.findall(f"testcase/{tag}")) for tag in ("failure", "skipped"))]
        assert [int(element.attrib[key]) for key in ("tests", "failures", "skipped")] == counts


def read(text: str) -> Element:
    root = ElementTree.fromstring(text)
    check_form(root)
    return root


def results(tmp_path: Path, text: str, code: int) -> Result:
    path = tmp_path / "results.xml"
    path.write_text(text, encoding="utf-8")
    return of_junit(path, Outcome(("ctest",), code, "", "", 1.0))


def test_a_test_of_ctest_keeps_its_name_time_output_and_skip(tmp_path: Path) -> None:
    root = read(document([Ended("ctest host", results(tmp_path, CTEST, 8), 2.0)], NOW))
    (suite,) = root
    assert suite.attrib["name"] == "ctest host" and suite.attrib["time"] == "2.000"
    assert suite.attrib["timestamp"] == "2025-11-21T12:30:00"
    passed, failed, skipped = suite.findall("testcase")
    assert (passed.attrib, len(passed)) == ({"name": "core.ring", "classname": "ctest host", "time": "0.250"}, 0)
    failure = failed.find("failure")
    assert failure is not None and failure.text == "job.cpp:3: <40> is not 41" == failure.attrib["message"]
    mark = skipped.find("skipped")
    assert mark is not None and mark.attrib == {"message": "Disabled"}
    assert (root.attrib["tests"], root.attrib["failures"]) == ("3", "1")


def test_a_test_of_pytest_keeps_its_class_and_its_failure(tmp_path: Path) -> None:
    root = read(document([Ended("pytest lab", results(tmp_path, PYTEST, 1), 1.0)], NOW))
    (case,) = root.iter("testcase")
    assert (case.attrib["classname"], case.attrib["name"]) == ("pytest lab.tests.base.test_store", "test_it[a]")
    assert "def test_it(): assert 1 == 2" in (case.findtext("failure") or "")


def test_a_run_that_fails_without_a_failed_test_has_a_failed_case_of_its_own(tmp_path: Path) -> None:
    fine = CTEST.replace('<failure message=""/>', "")
    root = read(document([Ended("ctest host", results(tmp_path, fine, 8), 2.0)], NOW))
    assert [case.attrib["name"] for case in root.iter("testcase")][-1] == "ctest host"
    assert root.attrib["failures"] == "1"


def test_a_step_without_named_tests_is_one_test() -> None:
    steps = [
        Ended("clang-format", Result(passed=1), 3.0),
        Ended("gate", Result(17, 1, output="nano auto: rose", repeat="./baton gate", notes="one rose"), 4.0),
        Ended("examples", Result(skipped=1, notes="not run, because of: build"), 0.0),
    ]
    root = read(document(steps, NOW))
    gate = root.findall("testsuite")[1]
    assert gate.findtext("testcase/failure") == "nano auto: rose\nto repeat it: ./baton gate"
    assert gate.findtext("system-out") == "one rose"
    assert [suite.attrib["failures"] for suite in root] == ["0", "1", "0"]
    assert [suite.attrib["skipped"] for suite in root] == ["0", "0", "1"]
    assert root.attrib["time"] == "7.000"


def test_no_skips_makes_a_skip_a_failure() -> None:
    result = Result(skipped=1, cases=(Case("a", skipped=True),))
    root = read(document([Ended("s", result, 1.0)], NOW, no_skips=True))
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None and failure.attrib == {"message": NO_SKIPS, "type": "skip"}


def test_colours_and_what_xml_cannot_hold_do_not_break_the_file() -> None:
    case = Case("bell\a", failed=True, output="\x1b[31mred\x1b[0m & <b>\0 \ud800")
    root = read(document([Ended("s", Result(failed=1, cases=(case,)), 1.0)], NOW))
    assert root.findtext("testsuite/testcase/failure") == "red & <b>\ufffd \ufffd"


@pytest.mark.parametrize("code", [0, 1])
def test_the_command_writes_the_file_when_its_steps_have_ended(project: Project, tmp_path: Path, code: int) -> None:
    path = tmp_path / "out" / "junit.xml"
    top = f"{project.root}/core/job.hpp:3"
    result = Result(passed=1, failed=code, output=top, cases=(Case("a", seconds=0.5, failed=bool(code), output=top),))
    steps = [Step("first", lambda project: result)]
    assert step_list.run_steps(project, steps, Console(quiet=True), no_skips=False, junit=path) == code
    text = path.read_text(encoding="utf-8")
    assert str(project.root) not in text and ("core/job.hpp:3" in text) == bool(code)
    read(text)
