# SPDX-License-Identifier: MIT
"""A program that does not paste is found before anything is built."""

import tempfile
import unittest
from pathlib import Path

import paste

BODY = '#include <baton/core.hpp>\n\nint main() {}\n'
PAGE = "<!-- from docs/howto/retry.cpp -->\n```cpp\n{body}```\n"


class Paste(unittest.TestCase):
    """Each test has a tree with one page."""

    def setUp(self) -> None:
        """Makes the tree."""
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        self.howto = self.root / "docs" / "howto"
        self.howto.mkdir(parents=True)
        (self.howto / "retry.cpp").touch()
        (self.howto / "retry.txt").touch()

    def page(self, text: str) -> "list[paste.Program]":
        """Writes the page and returns its programs."""
        (self.howto / "retry.md").write_text(text, encoding="utf-8")
        return paste.of_page(self.root, self.howto / "retry.md")

    def test_a_program_is_linked_as_its_page_says(self) -> None:
        """The lines that add the tree and the program are the project's own."""
        block = "```cmake\nadd_executable(retry main.cpp)\ntarget_link_libraries(retry PRIVATE baton::async)\n```\n"
        (found,) = self.page(PAGE.format(body=BODY) + block)
        self.assertEqual(found.links, "target_link_libraries(retry PRIVATE baton::async)\n")
        self.assertEqual((found.name, found.text, found.expected.name), ("retry", BODY, "retry.txt"))

    def test_a_page_without_cmake_links_a_board_and_services(self) -> None:
        """As the start page says."""
        (found,) = self.page(PAGE.format(body=BODY.replace("core", "service")))
        self.assertEqual(found.links, "target_link_libraries(retry PRIVATE baton::service baton::board_host)\n")

    def test_a_part_of_a_program_is_none(self) -> None:
        """Pages quote parts of examples."""
        self.assertEqual(self.page(PAGE.format(body="void f();\n")), [])
        self.assertEqual(self.page(PAGE.format(body="int main() {}\n")), [])

    def test_an_include_of_this_tree_is_found(self) -> None:
        """It would be missing in a new project."""
        with self.assertRaisesRegex(paste.PasteError, r'retry includes a file of this tree: #include "../support'):
            self.page(PAGE.format(body='#include "../support/say.hpp"\n' + BODY))

    def test_a_program_without_an_output_is_found(self) -> None:
        """A program that nobody compares tests nothing."""
        (self.howto / "retry.txt").unlink()
        with self.assertRaisesRegex(paste.PasteError, r"there is no output to compare with, retry\.txt"):
            self.page(PAGE.format(body=BODY))


if __name__ == "__main__":
    unittest.main()
