// SPDX-License-Identifier: MIT
//
// The marks of a measured interval: the emulator's plugin stamps the first instruction of each.
// Each is a function of one return instruction, called by <baton/board_meter.hpp>. They stand in a
// file of their own that is not link-time optimised, so that they stay functions.

__attribute__((used, noipa)) void baton_mark_start(void) {}
__attribute__((used, noipa)) void baton_mark_stop(void) {}
