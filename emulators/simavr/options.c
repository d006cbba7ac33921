// SPDX-License-Identifier: MIT
#include "options.h"

#include <stdlib.h>
#include <string.h>

static bool number(const char* text, uint64_t* value) {
  char* end;
  *value = strtoull(text, &end, 10);
  return end != text && !*end;
}

static bool add_send(const char* text, struct options* options) {
  if (options->send_count == max_sends) return false;
  struct send* send = &options->sends[options->send_count++];
  char* at;
  send->at_us = strtoull(text, &at, 10);
  if (*at++ != ':') return false;
  send->bytes = malloc(strlen(at) / 2 + 1);
  if (!send->bytes) return false;
  for (; *at; at += 2) {
    char *end, digits[3] = {at[0], at[1], 0};
    send->bytes[send->count++] = (uint8_t)strtoul(digits, &end, 16);
    if (end != digits + 2) return false;
  }
  return true;
}

static bool add_input(const char* text, struct options* options) {
  if (options->input_count == max_inputs) return false;
  struct input* input = &options->inputs[options->input_count++];
  char* at;
  input->at_us = strtoull(text, &at, 10);
  if (*at++ != ':') return false;
  if (strncmp(at, "adc", 3) == 0) {
    at += 3;
  } else if (*at >= 'A' && *at <= 'L') {
    input->port = *at++;
  } else {
    return false;
  }
  char* number_end;
  input->number = (unsigned)strtoul(at, &number_end, 10);
  if (number_end == at || *number_end != '=' || input->number > 7) return false;
  uint64_t value;
  if (!number(number_end + 1, &value) || value > (input->port ? 1 : 5000)) return false;
  input->value = (unsigned)value;
  return true;
}

static bool add_watch(const char* text, struct options* options) {
  if (options->watch_count == max_watches) return false;
  struct watch* watch = &options->watches[options->watch_count++];
  watch->port = text[0];
  watch->number = (unsigned)(text[1] - '0');
  return text[0] >= 'A' && text[0] <= 'L' && text[1] >= '0' && text[1] <= '7' && !text[2];
}

static bool take(const char* key, const char* value, struct options* options) {
  if (!strcmp(key, "program")) return options->program = value, true;
  if (!strcmp(key, "mcu")) return options->mcu = value, true;
  if (!strcmp(key, "hz")) return number(value, &options->hz);
  if (!strcmp(key, "uart")) return number(value, &options->uart);
  if (!strcmp(key, "baud")) return number(value, &options->baud);
  if (!strcmp(key, "limit")) return number(value, &options->limit_ms);
  if (!strcmp(key, "wall")) return number(value, &options->wall_s);
  if (!strcmp(key, "lines")) return number(value, &options->lines);
  if (!strcmp(key, "pty")) return number(value, &options->pty);
  if (!strcmp(key, "pace")) return number(value, &options->pace);
  if (!strcmp(key, "until")) return number(value, &options->until_us);
  if (!strcmp(key, "watch")) return add_watch(value, options);
  if (!strcmp(key, "send")) return add_send(value, options);
  if (!strcmp(key, "input")) return add_input(value, options);
  return false;
}

const char* options_parse(struct options* options, int argc, char** argv) {
  *options = (struct options){.limit_ms = 60000, .wall_s = 120};
  for (int i = 1; i < argc; ++i) {
    char key[16];
    const char* equals = strchr(argv[i], '=');
    const size_t length = equals ? (size_t)(equals - argv[i]) : sizeof key;
    if (length >= sizeof key) return argv[i];
    memcpy(key, argv[i], length);
    key[length] = 0;
    if (!take(key, equals + 1, options)) return argv[i];
  }
  return options->program && options->mcu && options->hz && options->baud && options->uart <= 9
             ? NULL
             : "(program, mcu, hz, uart and baud are needed)";
}

uint64_t options_cycle(const struct options* options, uint64_t at_us) {
  const uint64_t second_us = 1000000;
  return at_us / second_us * options->hz + at_us % second_us * options->hz / second_us;
}
