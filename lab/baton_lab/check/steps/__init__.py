# SPDX-License-Identifier: MIT
"""The kinds of step of ./baton test, a module a kind. A step is data; `command.step_list` runs a list of them."""
