// SPDX-License-Identifier: MIT
#pragma once

// The devices of an Arduino core as Baton's contracts, and what is made of them: see Devices in
// README.md.
#include <Baton.h>
#include <baton/arduino/adc.hpp>
#include <baton/arduino/pin.hpp>
#include <baton/arduino/uart.hpp>
#include <baton/devices.hpp>
