# SPDX-License-Identifier: MIT
"""Measuring suites on boards, and comparing the figures with baselines, targets and other libraries."""
