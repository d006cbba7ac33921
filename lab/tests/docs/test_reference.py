# SPDX-License-Identifier: MIT
"""The reference of a small tree, by Doxygen: what is shown, as users write it, and what is not."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path, PurePosixPath

import pytest

from baton_lab.docs import doxygen, reference
from baton_lab.docs.places import Places

pytestmark = pytest.mark.skipif(shutil.which("doxygen") is None, reason="doxygen is not installed")

HEADER = """// SPDX-License-Identifier: MIT
#pragma once
namespace baton::BATON_VARIANT::async {

namespace detail {
/// Nobody's.
struct hidden {};
}  // namespace detail

/// The end of a wait.
enum class status : uint8_t {
  ok,  ///< it happened
  full
};

/// A queue of `status` values.
///
/// Cost    core/tests/queue.cpp.
template <typename T, unsigned N = 0>
class queue {
 public:
  queue(const queue&) = delete;
  ~queue();

  /// Appends `value`.
  /// Errors   full: `status::full` is meant.
  BATON_NODISCARD status push(const T& value);
  status push(T&& value, int priority=1);
  queue& operator=(int n);

  void help_();

  /// Shape    an operation.
  struct operation {};

 private:
  int secret_;
};

/// Runs once.
#define BATON_RUN(body) body

int undocumented;

}  // namespace baton::BATON_VARIANT::async
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> reference.Page:
    root = tmp_path_factory.mktemp("tree")
    include = root / "async" / "include" / "baton" / "async"
    (include / "spi").mkdir(parents=True)
    (include / "queue.hpp").write_text(HEADER)
    (include / "spi" / "port.hpp").write_text("/// For modules.\nstruct port {};\n")
    (include / "plain.hpp").write_text("struct plain {};\n")
    (root / "core" / "tests").mkdir(parents=True)
    (root / "core" / "tests" / "queue.cpp").touch()
    row = {"folder": "async", "standard": 20, "links": [], "is_covered": True}
    (root / "modules.json").write_text(json.dumps({"modules": {"async": row}, "folders": {}}))
    made = reference.pages(root, doxygen.described(Places(root)))
    assert list(made) == [PurePosixPath("reference/async/queue.hpp.md")]
    lists = reference.lists(root, made)
    assert (
        "| [async/queue.hpp](queue.hpp.md) | The end of a wait. |" in lists[PurePosixPath("reference/async/README.md")]
    )
    return made[PurePosixPath("reference/async/queue.hpp.md")]


def test_a_declaration_stands_as_users_write_it(page: reference.Page) -> None:
    assert "```cpp\ntemplate <typename T, unsigned N = 0>\nclass queue\n```" in page.text
    assert "```cpp\nstatus push(const T& value)\n```" in page.text
    assert "status push(T&& value, int priority = 1)" in page.text and "queue& operator=(int n)" in page.text
    assert "## async::queue { #async-queue }" in page.text and "### push { #async-queue-push }" in page.text
    assert "#define BATON_RUN(body)" in page.text
    assert "VARIANT" not in page.text and "NODISCARD" not in page.text


def test_its_comment_stands_below_it_with_fields_and_links(page: reference.Page) -> None:
    assert "Errors\n:   full: `status::full` is meant." in page.text
    assert "A queue of [`status`](queue.hpp.md#async-status) values." in page.text
    assert "Cost\n:   [`core/tests/queue.cpp`](../../../../core/tests/queue.cpp)." in page.text
    assert "| `ok` | it happened |\n| `full` |  |" in page.text


@pytest.mark.parametrize("name", ["hidden", "secret_", "help_", "operation", "~queue", "= delete", "undocumented"])
def test_what_is_not_for_users_is_left_out(page: reference.Page, name: str) -> None:
    assert name not in page.text


def test_doxygen_runs_again_only_after_a_change(tmp_path: Path) -> None:
    include = tmp_path / "a" / "include"
    include.mkdir(parents=True)
    (include / "a.hpp").write_text("/// One.\nstruct one {};\n")
    row = {"folder": "a", "standard": 14, "links": [], "is_covered": True}
    (tmp_path / "modules.json").write_text(json.dumps({"modules": {"a": row}, "folders": {}}))
    made = doxygen.described(Places(tmp_path)) / "index.xml"
    os.utime(made, (1, 1))
    assert (doxygen.described(Places(tmp_path)) / "index.xml").stat().st_mtime == 1
    (include / "a.hpp").write_text("/// Two.\nstruct two {};\n")
    assert (doxygen.described(Places(tmp_path)) / "index.xml").stat().st_mtime > 1
