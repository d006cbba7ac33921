# SPDX-License-Identifier: MIT
"""The documentation site: the documents of the tree as one site that opens offline."""
