# SPDX-License-Identifier: MIT
"""A board that sends HEX: fake_board.py HEX stays|goes, its port's name on standard error."""

import array
import fcntl
import os
import pty
import select
import sys
import termios
import time
import tty

SET_UP_SECONDS = 5
LIMIT_SECONDS = 30

controller, port = pty.openpty()
name = os.ttyname(port)
tty.setraw(port)
os.close(port)
print(name, file=sys.stderr, flush=True)
fcntl.ioctl(controller, termios.TIOCPKT, array.array("i", [1]))
look = select.poll()
look.register(controller, 0)
until = time.monotonic() + LIMIT_SECONDS
while look.poll(10) and time.monotonic() < until:
    time.sleep(0.01)
told = select.poll()
told.register(controller, select.POLLIN | select.POLLPRI)
set_up = time.monotonic() + SET_UP_SECONDS
while time.monotonic() < set_up:  # until the reader has emptied its input, as a packet of one byte reports
    if told.poll(10) and os.read(controller, 1)[0] & termios.TIOCPKT_FLUSHREAD:
        break
os.write(controller, bytes.fromhex(sys.argv[1]))
if sys.argv[2] == "stays":
    while not look.poll(10) and time.monotonic() < until:
        time.sleep(0.01)
else:
    unread = select.poll()  # a poll, unlike FIONREAD, waits for bytes that the kernel has not carried over yet
    unread.register(os.open(name, os.O_RDWR | os.O_NOCTTY), select.POLLIN)
    while unread.poll(0) and time.monotonic() < until:
        time.sleep(0.01)
