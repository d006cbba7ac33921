# SPDX-License-Identifier: MIT
"""Takes the programs out of a page: programs.py PAGE SOURCE...

A program is a block of C++ with a main(). Each becomes the source of its turn, as it stands in the
page; the page must have as many programs as sources are asked for.
"""

import re
import sys
from pathlib import Path


def programs(text: str) -> "list[str]":
    """Returns the blocks of C++ that have a main()."""
    blocks = re.findall(r"^```cpp\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for block in blocks if re.search(r"^int main\(", block, re.MULTILINE)]


def main() -> int:
    """Writes the sources."""
    page, sources = Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
    found = programs(page.read_text(encoding="utf-8"))
    if len(found) != len(sources):
        print(f"{page.name} has {len(found)} programs, and {len(sources)} are built: see tests/readme/CMakeLists.txt")
        return 1
    for index, source in enumerate(sources):
        source.write_text(found[index], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
