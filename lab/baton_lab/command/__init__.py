# SPDX-License-Identifier: MIT
"""The commands of ./baton."""
