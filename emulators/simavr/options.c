// SPDX-License-Identifier: MIT
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: simavr-runner [options] firmware.elf\n"
    "  --mcu NAME       the chip (atmega328p)\n"
    "  --hz N           its clock (16000000)\n"
    "  --uart N         the USART that is the console (0)\n"
    "  --baud N         speed of what --send sends (115200)\n"
    "  --limit-ms N     simulated time after which the run ends with 124 (60000)\n"
    "  --wall-s N       real time after which the run ends with 124 (120)\n"
    "  --lines N        end with 0 after N lines of text\n"
    "  --send MS:TEXT   send TEXT from simulated time MS on; \\n \\r \\t \\\\ \\xHH are understood; may be repeated\n"
    "  --pty            the console is a pseudo-terminal, whose name is the first line of standard error\n";

static bool complain(const char* what, const char* value) {
  fprintf(stderr, "simavr-runner: %s: \"%s\"\n%s", what, value, usage);
  return false;
}

static bool number(const char* text, uint64_t most, uint64_t* result) {
  char* end;
  errno = 0;
  const unsigned long long value = strtoull(text, &end, 10);
  if (!isdigit((unsigned char)*text) || *end || errno || value > most) return false;
  *result = value;
  return true;
}

// Reads one character of TEXT, escaped or not, and moves behind it.
static bool character(const char** text, uint8_t* result) {
  static const char names[] = "nrt\\", values[] = "\n\r\t\\";
  const char* at = *text;
  if (*at != '\\') {
    *result = (uint8_t)*at;
    *text = at + 1;
    return true;
  }
  const char* name = at[1] ? strchr(names, at[1]) : NULL;
  if (name) {
    *result = (uint8_t)values[name - names];
    *text = at + 2;
    return true;
  }
  if (at[1] != 'x' || !isxdigit((unsigned char)at[2]) || !isxdigit((unsigned char)at[3])) return false;
  const char digits[3] = {at[2], at[3], 0};
  *result = (uint8_t)strtoul(digits, NULL, 16);
  *text = at + 4;
  return true;
}

static bool add_send(struct options* options, const char* argument) {
  if (options->send_count == max_sends) return complain("too many --send", argument);
  struct send* send = &options->sends[options->send_count];
  const char* text = strchr(argument, ':');
  char ms[21] = "";
  if (!text || (size_t)(text - argument) >= sizeof ms) return complain("--send is to be MS:TEXT", argument);
  memcpy(ms, argument, (size_t)(text - argument));
  if (!number(ms, UINT32_MAX, &send->at_ms)) return complain("--send is to be MS:TEXT", argument);
  send->bytes = malloc(strlen(text));
  if (!send->bytes) return complain("out of memory", argument);
  for (++text; *text; ++send->count) {
    if (!character(&text, &send->bytes[send->count])) return complain("--send: unknown escape", text);
  }
  ++options->send_count;
  return true;
}

bool options_parse(struct options* options, int argc, char** argv) {
  static const struct option table[] = {
      {"mcu", required_argument, NULL, 'm'},
      {"hz", required_argument, NULL, 'h'},
      {"uart", required_argument, NULL, 'u'},
      {"baud", required_argument, NULL, 'b'},
      {"limit-ms", required_argument, NULL, 'l'},
      {"wall-s", required_argument, NULL, 'w'},
      {"lines", required_argument, NULL, 'n'},
      {"send", required_argument, NULL, 's'},
      {"pty", no_argument, NULL, 'p'},
      {NULL, 0, NULL, 0},
  };
  *options = (struct options){.mcu = "atmega328p", .hz = 16000000, .baud = 115200, .limit_ms = 60000, .wall_s = 120};
  for (int which; (which = getopt_long(argc, argv, "", table, NULL)) != -1;) {
    uint64_t value = 0;
    if (which == '?') return fputs(usage, stderr), false;
    if (which != 'm' && which != 's' && which != 'p' && !number(optarg, UINT32_MAX, &value))
      return complain("not a number", optarg);
    switch (which) {
      case 'm':
        options->mcu = optarg;
        break;
      case 'h':
        options->hz = (uint32_t)value;
        break;
      case 'u':
        options->uart = (unsigned)value;
        break;
      case 'b':
        options->baud = (uint32_t)value;
        break;
      case 'l':
        options->limit_ms = value;
        break;
      case 'w':
        options->wall_s = (unsigned)value;
        break;
      case 'n':
        options->lines = value;
        break;
      case 's':
        if (!add_send(options, optarg)) return false;
        break;
      case 'p':
        options->pty = true;
        break;
    }
  }
  if (!options->hz || !options->baud || options->uart > 9) return complain("out of range", "--hz, --baud or --uart");
  if (optind + 1 != argc) return complain("one firmware.elf is needed", optind < argc ? argv[optind + 1] : "");
  options->firmware = argv[optind];
  return true;
}
