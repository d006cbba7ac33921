# SPDX-License-Identifier: MIT
"""The lab: builds, runs, stores, compares and reports. It knows C++ only by the bench record."""
