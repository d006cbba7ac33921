# SPDX-License-Identifier: MIT
"""What figures look like: for a terminal, for a browser and in the READMEs."""
