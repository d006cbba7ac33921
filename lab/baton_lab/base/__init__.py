# SPDX-License-Identifier: MIT
"""What every other package uses: the tree, processes, files, locks, records and their store."""
