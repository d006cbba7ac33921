/* SPDX-License-Identifier: MIT */
#include <families/lx106/src/start.S>
