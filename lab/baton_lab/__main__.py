# SPDX-License-Identifier: MIT
"""`python -m baton_lab` is `./baton` with the set-up done."""

from baton_lab.command.cli import main

main()
