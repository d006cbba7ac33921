// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

// One program of two sources with different choices: bases, select, a deadline, a profiler. Nothing
// is configured by macro, so they agree on every type that they share.
extern baton::channel<uint16_t> numbers;
extern baton::log_bins bins;
extern uint16_t sum;

void start_the_writer();
void start_the_reader();
