// SPDX-License-Identifier: MIT
#pragma once

// The contracts of devices, and the two parts that are made of them alone. Providers and fakes are
// included by name.
#include <baton/devices/adc.hpp>
#include <baton/devices/button.hpp>
#include <baton/devices/line_reader.hpp>
#include <baton/devices/pin.hpp>
#include <baton/devices/uart.hpp>
