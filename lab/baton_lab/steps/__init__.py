# SPDX-License-Identifier: MIT
"""The kinds of step of ./baton test, a module a kind. A step is data; `baton_lab.testing` runs a list of them."""
