#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the symbols of a heap that a program defines or refers to. Exit code 1 if there is one.

usage: no_heap.py NM PROGRAM
"""

import re
import subprocess
import sys

HEAP = re.compile(
    r"_{0,3}(malloc|calloc|realloc|free|memalign|aligned_alloc|posix_memalign|sbrk|brkval|(m|c|re)alloc_r|free_r|sbrk_r)"
    r"|__malloc_\w+|_Zn[wa][jmPy]\w*|_Zd[la]Pv\w*"
)
PROOF = re.compile(r"_ZN5baton\d+on_\w+?5async6detail14run_call_chain\w*")
"""A program must have such a symbol: without async in it, the check would prove nothing."""


def main() -> int:
    """Print the symbols of a heap, and the number of all symbols."""
    nm, program = sys.argv[1:]
    listed = subprocess.run([nm, program], capture_output=True, text=True, check=True).stdout
    names = [line.split()[-1].split(".")[0] for line in listed.splitlines() if line.strip()]
    if not any(PROOF.fullmatch(name) for name in names):
        print(f"{program}: it has no symbol of async, so the check proves nothing")
        return 2
    found = sorted({name for name in names if HEAP.fullmatch(name)})
    print(f"{program}: {len(names)} symbols; symbols of a heap: {' '.join(found) or 'none'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
