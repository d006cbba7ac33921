# SPDX-License-Identifier: MIT
"""Computes the memory of a chip that programs take, and checks it against limits."""
