// SPDX-License-Identifier: MIT
#pragma once

/// Baton for Arduino: coroutines, channels, send, receive and reply, timers, a profiler. Read
/// README.md first, then the examples in the order of their numbers.
#include <Arduino.h>
#include <baton/arduino/print_sink.hpp>
#include <baton/core.hpp>
