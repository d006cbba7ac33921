# SPDX-License-Identifier: MIT
"""The base of every other package: the tree, processes, files, locks, records and their store."""
