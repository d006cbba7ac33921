# SPDX-License-Identifier: MIT
"""A project of a user's own: made by ./baton new, and built, run, measured and tested in it."""
