// SPDX-License-Identifier: MIT
#ifndef BATON_SIMAVR_PTY_H
#define BATON_SIMAVR_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The console as a serial port that another program opens. There is one per process.

// Makes the port and reports its name in a frame. If it cannot, reports the reason on standard
// error and returns false.
bool pty_make(void);

// Returns true when a reader has opened the port and has set it up, so that it does not throw away
// the output as left over from before. Returns false after `wall_s` seconds.
bool pty_wait_for_reader(unsigned wall_s);

// Waits while the reader is behind. Returns false if the reader has closed the port.
bool pty_put(uint8_t byte);

// Returns up to `room` bytes that the reader has written, without waiting, or -1 if it has closed
// the port.
int pty_get(uint8_t* bytes, size_t room);

// Returns when the reader has read everything, or after `wall_s` seconds.
void pty_drain(unsigned wall_s);

// Returns when the reader has closed the port, or after `wall_s` seconds.
void pty_wait_for_close(unsigned wall_s);

#endif
