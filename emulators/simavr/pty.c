// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { look_ms = 10, set_up_ms = 2000 };

static int controller = -1;
static const char* name;

static uint64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

bool pty_make(void) {
  struct termios raw;
  int packets = 1;
  controller = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (controller < 0 || grantpt(controller) || unlockpt(controller) || !(name = ptsname(controller))) {
    return perror("--pty"), false;
  }
  // The port is opened and closed once, because a port that was never opened does not report that
  // it has no reader. (Linux)
  const int port = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (port < 0 || tcgetattr(port, &raw)) return perror("--pty"), false;
  cfmakeraw(&raw);
  if (tcsetattr(port, TCSANOW, &raw) || ioctl(controller, TIOCPKT, &packets)) {
    return perror("--pty"), false;
  }
  close(port);
  printf("port %s\n", name);
  fflush(stdout);
  return true;
}

static bool is_open(void) {
  struct pollfd look = {.fd = controller, .events = 0};
  return poll(&look, 1, 0) == 0;
}

static bool waits_in_vain(uint64_t until) {
  if (now_ms() >= until) return true;
  poll(NULL, 0, look_ms);
  return false;
}

bool pty_wait_for_reader(unsigned wall_s) {
  const uint64_t until = now_ms() + 1000ull * wall_s;
  while (!is_open()) {
    if (waits_in_vain(until)) return false;
  }
  // A program that opens a serial port empties its input, which is reported here as a packet of one
  // byte. (ioctl_tty(2), TIOCPKT)
  const uint64_t set_up_until = now_ms() + set_up_ms;
  for (uint8_t event = 0; !(event & TIOCPKT_FLUSHREAD);) {
    struct pollfd look = {.fd = controller, .events = POLLIN | POLLPRI};
    if (poll(&look, 1, look_ms) > 0 && read(controller, &event, 1) < 0) poll(NULL, 0, look_ms);
    if (now_ms() >= set_up_until) break;
  }
  return true;
}

bool pty_put(uint8_t byte) {
  for (;;) {
    if (write(controller, &byte, 1) == 1) return true;
    if (errno != EINTR && errno != EAGAIN) return false;
  }
}

int pty_get(uint8_t* bytes, size_t room) {
  uint8_t packet[64];
  struct pollfd look = {.fd = controller, .events = POLLIN};
  if (poll(&look, 1, 0) <= 0) return 0;
  if (!(look.revents & POLLIN)) return look.revents & POLLHUP ? -1 : 0;
  const ssize_t got = read(controller, packet, room + 1 < sizeof packet ? room + 1 : sizeof packet);
  if (got < 0) return errno == EIO ? -1 : 0;
  if (got < 2 || packet[0] != TIOCPKT_DATA) return 0;
  for (ssize_t i = 1; i < got; ++i) bytes[i - 1] = packet[i];
  return (int)(got - 1);
}

void pty_drain(unsigned wall_s) {
  const uint64_t until = now_ms() + 1000ull * wall_s;
  const int port = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  int unread = 1;
  while (port >= 0 && unread && !waits_in_vain(until)) {
    if (ioctl(port, FIONREAD, &unread)) break;
  }
  if (port >= 0) close(port);
}

void pty_wait_for_close(unsigned wall_s) {
  const uint64_t until = now_ms() + 1000ull * wall_s;
  while (is_open() && !waits_in_vain(until)) {
  }
}
