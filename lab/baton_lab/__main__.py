# SPDX-License-Identifier: MIT
"""`python -m baton_lab` is `./baton` with the set-up done."""

from baton_lab.cli import main

main()
