// SPDX-License-Identifier: MIT
#pragma once

// All fakes, for tests of device code.
#include <baton/devices/fake_adc.hpp>
#include <baton/devices/fake_pin.hpp>
#include <baton/devices/fake_uart.hpp>
