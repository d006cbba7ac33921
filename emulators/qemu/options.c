// SPDX-License-Identifier: MIT
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool number(const char* text, const char** end, uint64_t* result) {
  char* stop;
  *result = strtoull(text, &stop, 0);
  *end = stop;
  return stop != text;
}

static bool whole_number(const char* text, uint64_t* result) {
  const char* end;
  return number(text, &end, result) && !*end;
}

static bool descriptor(const char* text, int* result) {
  uint64_t value;
  if (!whole_number(text, &value) || value > INT32_MAX) return false;
  *result = (int)value;
  return true;
}

static bool range(const char* text, struct range* result) {
  const char* colon;
  return number(text, &colon, &result->low) && *colon == ':' && whole_number(colon + 1, &result->high) &&
         result->low < result->high;
}

static bool code(const char* text, struct options* options) {
  return options->code_count < max_ranges && range(text, &options->codes[options->code_count++]);
}

static bool trap(const char* text, struct options* options) {
  return options->trap_count < max_ranges && range(text, &options->traps[options->trap_count++]);
}

static bool masks(const char* text, enum masks* result) {
  static const char* const names[] = {"", "arm", "thumb", "riscv"};
  for (int i = masks_of_arm; i <= masks_of_riscv; ++i) {
    if (!strcmp(text, names[i])) return *result = (enum masks)i, true;
  }
  return false;
}

static bool send(const char* text, struct options* options) {
  if (options->send_count == max_sends) return false;
  struct send* send = &options->sends[options->send_count++];
  const char* colon;
  if (!number(text, &colon, &send->at_us) || *colon != ':') return false;
  send->count = strlen(colon + 1) / 2;
  send->bytes = malloc(send->count + 1);
  if (!send->bytes) return false;
  for (size_t i = 0; i < send->count; ++i) {
    const char digits[3] = {colon[1 + 2 * i], colon[2 + 2 * i], 0};
    uint64_t value;
    char* end;
    value = strtoull(digits, &end, 16);
    if (*end) return false;
    send->bytes[i] = (uint8_t)value;
  }
  return true;
}

static bool input(char* text, struct options* options) {
  if (options->input_count == max_inputs) return false;
  struct input* input = &options->inputs[options->input_count++];
  const char* colon;
  char* equals = strrchr(text, '=');
  if (!equals || !number(text, &colon, &input->at_us) || *colon != ':') return false;
  input->path = colon + 1;
  input->level = equals[1] == '1';
  *equals = 0;
  return (equals[1] == '0' || equals[1] == '1') && !equals[2];
}

static bool watch(const char* text, struct options* options) {
  if (options->watch_count == max_watches) return false;
  struct watch* watch = &options->watches[options->watch_count++];
  const char* colon;
  uint64_t bit;
  if (!number(text, &colon, &watch->address) || *colon != ':' || !whole_number(colon + 1, &bit)) return false;
  watch->bit = (unsigned)bit;
  return bit < 32;
}

static bool take(const char* key, const char* value, struct options* options) {
  if (!strcmp(key, "socket")) return descriptor(value, &options->socket);
  if (!strcmp(key, "counters")) return descriptor(value, &options->counters);
  if (!strcmp(key, "start")) return whole_number(value, &options->start);
  if (!strcmp(key, "stop")) return whole_number(value, &options->stop);
  if (!strcmp(key, "base")) return options->is_movable = true, whole_number(value, &options->base);
  if (!strcmp(key, "stack")) return range(value, &options->stack);
  if (!strcmp(key, "steps")) return whole_number(value, &options->steps);
  if (!strcmp(key, "limit")) return whole_number(value, &options->limit_ms);
  if (!strcmp(key, "instruction")) return whole_number(value, &options->instruction_ns);
  if (!strcmp(key, "byte")) return whole_number(value, &options->byte_ns);
  if (!strcmp(key, "code")) return code(value, options);
  if (!strcmp(key, "timing")) return options->is_timed = true, timing_parse(&options->timing, value);
  if (!strcmp(key, "masks")) return masks(value, &options->masks);
  if (!strcmp(key, "trap")) return trap(value, options);
  if (!strcmp(key, "caches")) return whole_number(value, &options->caches);
  if (!strcmp(key, "send")) return send(value, options);
  if (!strcmp(key, "input")) return input(strdup(value), options);
  if (!strcmp(key, "watch")) return watch(value, options);
  if (!strcmp(key, "until")) return whole_number(value, &options->until_us);
  return false;
}

bool options_parse(struct options* options, int argc, char** argv) {
  *options = (struct options){.socket = -1, .counters = -1};
  for (int i = 0; i < argc; ++i) {
    char key[16];
    const char* equals = strchr(argv[i], '=');
    const size_t length = equals ? (size_t)(equals - argv[i]) : sizeof key;
    if (length < sizeof key) {
      memcpy(key, argv[i], length);
      key[length] = 0;
      if (take(key, equals + 1, options)) continue;
    }
    return fprintf(stderr, "libbaton-count: argument \"%s\": not understood; see emulators/qemu/options.h\n", argv[i]),
           false;
  }
  if (options->socket < 0 || options->counters < 0) {
    return fputs("libbaton-count: socket= and counters= are needed; emulators/run passes them\n", stderr), false;
  }
  return true;
}
