/* SPDX-License-Identifier: MIT */
#include <boards/esp32c3/start.S>
