# SPDX-License-Identifier: MIT
"""The steps of ./baton test, one module per kind. `command.step_list` runs a list of them."""
