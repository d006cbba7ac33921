# SPDX-License-Identifier: MIT
"""Makes what a release needs besides: packages, licences, one version, the examples of the release before."""
