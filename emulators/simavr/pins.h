// SPDX-License-Identifier: MIT
#ifndef BATON_SIMAVR_PINS_H
#define BATON_SIMAVR_PINS_H

#include <simavr/sim_avr.h>
#include <stdbool.h>

#include "options.h"

// The pins and the ADC of the chip, from outside.

enum { pins_millivolts = 5000 };  // the supply, and the reference of the ADC

// Drives the pins and the channels at their times. Returns false if the chip lacks one.
bool pins_drive(avr_t* avr, struct options* options);

// Calls `report` at each change of a watched pin's level, which is low at first. Returns false if
// the chip lacks a pin.
bool pins_watch(avr_t* avr, struct options* options, void (*report)(const struct watch* watch));

#endif
