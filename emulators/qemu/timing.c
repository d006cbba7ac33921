// SPDX-License-Identifier: MIT
//
// Decodes A32, and T32 without floating point and coprocessors, as far as timing depends on it.
// (ARM Architecture Reference Manual ARMv7-M, DDI 0403E, chapter A5; ARM ARM, DDI 0100I, chapter
// A3) An instruction of no class here takes one cycle.
#include "timing.h"

#include <stdlib.h>
#include <string.h>

enum { lr = 14, pc = 15 };

static uint16_t bit(unsigned number) {
  return (uint16_t)(1u << number);
}

static unsigned field(uint32_t word, unsigned low, unsigned width) {
  return word >> low & ((1u << width) - 1);
}

// ---- The classes, common to both instruction sets ----

static struct step plain(unsigned cycles) {
  return (struct step){.cycles = (uint8_t)cycles};
}

static struct step branch(unsigned cycles, unsigned refill) {
  return (struct step){.cycles = (uint8_t)cycles, .elsewhere = (uint8_t)refill, .is_branch = true};
}

static struct step single_load(const struct timing* t, unsigned target, uint16_t address, bool is_narrow) {
  struct step s = {.cycles = t->load, .accesses = true, .is_single = true, .loads = bit(target), .needs = address};
  s.interlock = is_narrow ? t->interlock_narrow : t->interlock;
  if (target == pc) {
    s.is_branch = true;
    s.is_single = false;
    s.elsewhere = t->refill_load;
  }
  return s;
}

static struct step single_store(const struct timing* t, uint16_t needs, bool is_indexed) {
  const uint8_t cycles = is_indexed ? t->store_indexed : t->store;
  return (struct step){.cycles = cycles, .accesses = true, .is_single = true, .needs = needs};
}

static struct step multiple(const struct timing* t, bool is_load, unsigned base, unsigned registers) {
  struct step s = {.cycles = t->multiple, .each = t->multiple_each, .least = t->multiple_least, .accesses = true};
  s.needs = bit(base);
  if (!is_load) return s;
  for (unsigned i = 0; i < 16; ++i) s.loads = registers & 1u << i ? bit(i) : s.loads;  // the last one is late
  s.interlock = t->interlock;
  if (registers & 1u << pc) {
    s.is_branch = true;
    s.elsewhere = t->refill_load;
  }
  return s;
}

// ---- Thumb, 16 bits ----

static struct step thumb_special(const struct timing* t, unsigned op) {  // on high registers
  const unsigned target = (op & 7) | (op >> 4 & 8);
  if ((op & 0x300) == 0x300) return branch(t->jump, t->refill);  // BX, BLX
  return (op & 0x300) != 0x100 && target == pc ? branch(1, t->refill) : plain(1);
}

static struct step thumb_miscellaneous(const struct timing* t, unsigned op) {
  const unsigned list = op & 0xff, extra = op >> 8 & 1;
  if ((op & 0x500) == 0x100) return branch(1, t->refill);  // CBZ, CBNZ
  if ((op & 0xe00) == 0x400) return multiple(t, false, 13, list | extra << lr);
  if ((op & 0xe00) == 0xc00) return multiple(t, true, 13, list | extra << pc);
  return plain(1);
}

static struct step thumb_indexed(const struct timing* t, unsigned op) {
  const unsigned kind = field(op, 9, 3), target = op & 7;
  const uint16_t address = bit(field(op, 3, 3)) | bit(field(op, 6, 3));
  return kind < 3 ? single_store(t, address, true) : single_load(t, target, address, kind != 4);
}

static struct step decode_thumb16(const struct timing* t, unsigned op) {
  const uint16_t base = bit(field(op, 3, 3));
  const bool is_load = op & 0x800;
  switch (op >> 12) {
    case 0x4:
      if ((op & 0xfc00) == 0x4400) return thumb_special(t, op);
      if ((op & 0xffc0) == 0x4340) return plain(t->multiply);
      return is_load ? single_load(t, field(op, 8, 3), 0, false) : plain(1);  // a literal
    case 0x5:
      return thumb_indexed(t, op);
    case 0x6:
    case 0x7:
    case 0x8:
      return is_load ? single_load(t, op & 7, base, op >> 12 != 6) : single_store(t, base, false);
    case 0x9:
      return is_load ? single_load(t, field(op, 8, 3), bit(13), false) : single_store(t, bit(13), false);
    case 0xb:
      return thumb_miscellaneous(t, op);
    case 0xc:
      return multiple(t, is_load, field(op, 8, 3), op & 0xff);
    case 0xd:
      return (op & 0xe00) == 0xe00 ? plain(1) : branch(1, t->refill);  // SVC goes by an exception
    case 0xe:
      return branch(1, t->refill);
    default:
      return plain(1);
  }
}

// ---- Thumb, 32 bits ----

static struct step thumb_branch_or_status(const struct timing* t, unsigned one, unsigned two) {
  if ((two & 0x5000) == 0x5000) return branch(t->call, t->refill);  // BL
  if ((two & 0x5000) == 0x1000 || (one & 0x380) != 0x380) return branch(1, t->refill);
  if ((one & 0xffe0) == 0xf380) return plain(t->status_write);
  if ((one & 0xffe0) == 0xf3e0) return plain(t->status_read);
  return plain(one == 0xf3bf ? t->barrier : 1);
}

static struct step thumb_dual_or_table(const struct timing* t, unsigned one, unsigned two) {
  const bool is_load = one & 0x10;
  if ((one & 0xfff0) == 0xe8d0 && (two & 0xffe0) == 0xf000) {  // TBB, TBH
    struct step s = single_load(t, pc, bit(one & 15) | bit(two & 15), false);
    s.elsewhere = t->refill;
    return s;
  }
  if ((one & 0xff60) == 0xe840) return is_load ? single_load(t, two >> 12, bit(one & 15), false) : plain(t->load);
  return multiple(t, is_load, one & 15, is_load ? 1u << (two >> 12) | 1u << field(two, 8, 4) : 0);  // LDRD, STRD
}

static struct step thumb_single(const struct timing* t, unsigned one, unsigned two) {
  const unsigned base = one & 15, target = two >> 12, size = field(one, 5, 2);
  const bool is_indexed = base != pc && !(one & 0x80) && !(two & 0xfc0);
  const uint16_t address = bit(base) | (is_indexed ? bit(two & 15) : 0);
  if (!(one & 0x10)) return single_store(t, address, is_indexed);
  if (target == pc && size != 2) return plain(1);  // PLD
  return single_load(t, target, base == pc ? 0 : address, size != 2);
}

static struct step thumb_multiply(const struct timing* t, unsigned one, unsigned two) {
  if (!(one & 0x80)) return plain(two >> 12 == 15 ? t->multiply : t->accumulate);
  const unsigned kind = field(one, 4, 3);
  return plain(kind == 1 || kind == 3 ? t->divide : kind & 4 ? t->long_accumulate : t->long_multiply);
}

static struct step decode_thumb32(const struct timing* t, unsigned one, unsigned two) {
  if (one >> 11 == 0x1e) return two & 0x8000 ? thumb_branch_or_status(t, one, two) : plain(1);
  if (one >> 9 == 0x74) {  // 1110100: memory
    if (one & 0x40) return thumb_dual_or_table(t, one, two);
    return multiple(t, one & 0x10, one & 15, two);
  }
  if (one >> 9 == 0x7c) return thumb_single(t, one, two);
  return one >> 8 == 0xfb ? thumb_multiply(t, one, two) : plain(1);
}

// ---- A32 ----

static struct step arm_data(const struct timing* t, uint32_t op) {
  const unsigned kind = field(op, 21, 4), target = field(op, 12, 4);
  const bool by_register = !(op & 1u << 25) && (op & 0x10), has_target = (kind & 0xc) != 8;
  struct step s = plain(1u + (by_register ? t->shift_by_register : 0));
  if (kind != 13 && kind != 15) s.needs |= bit(field(op, 16, 4));
  if (!(op & 1u << 25)) s.needs |= bit(op & 15);
  if (by_register) s.needs |= bit(field(op, 8, 4));
  if (has_target && target == pc) {
    s.is_branch = true;
    s.elsewhere = t->refill;
  }
  return s;
}

static struct step arm_single(const struct timing* t, uint32_t op, bool is_indexed, bool is_narrow) {
  uint16_t address = bit(field(op, 16, 4));
  if (is_indexed) address |= bit(op & 15);
  if (op & 1u << 20) return single_load(t, field(op, 12, 4), address, is_narrow);
  return single_store(t, address | bit(field(op, 12, 4)), is_indexed);
}

static struct step arm_multiply(const struct timing* t, uint32_t op) {
  const bool is_long = op & 1u << 23, adds = op & 1u << 21;
  const uint8_t cycles = is_long ? (adds ? t->long_accumulate : t->long_multiply) : adds ? t->accumulate : t->multiply;
  struct step s = plain(cycles);
  s.needs = bit(op & 15) | bit(field(op, 8, 4));
  return s;
}

// Multiplies, swaps, and accesses of halfwords and pairs.
static struct step arm_extra(const struct timing* t, uint32_t op) {
  if ((op & 0xf0) == 0x90) {
    if (!(op & 1u << 24)) return arm_multiply(t, op);
    struct step s = single_load(t, field(op, 12, 4), bit(field(op, 16, 4)) | bit(op & 15), true);  // SWP
    s.cycles = (uint8_t)(t->load + t->store);
    return s;
  }
  const bool is_pair = !(op & 1u << 20) && (op & 0xd0) == 0xd0;
  if (is_pair) return multiple(t, !(op & 0x20), field(op, 16, 4), 2u << field(op, 12, 4));
  return arm_single(t, op, !(op & 1u << 22), true);
}

static struct step arm_status(const struct timing* t, uint32_t op) {
  if ((op & 0x0ff000f0) == 0x01200010 || (op & 0x0ff000f0) == 0x01200030) return branch(t->jump, t->refill);
  if ((op & 0x0ff000f0) == 0x01600010) return plain(1);  // CLZ
  const bool is_write = op & 1u << 21, control = op & 0x00070000;
  return plain(is_write ? control ? t->status_write : 1 : t->status_read);
}

static struct step decode_arm(const struct timing* t, uint32_t op) {
  const bool is_immediate = op & 1u << 25;
  switch (field(op, 26, 2)) {
    case 0:
      if (!is_immediate && (op & 0x90) == 0x90) return arm_extra(t, op);
      if ((op & 0x01900000) == 0x01000000) return arm_status(t, op);
      return arm_data(t, op);
    case 1:
      return arm_single(t, op, is_immediate, op & 1u << 22);
    case 2:
      if (is_immediate) return branch(op & 1u << 24 ? t->call : 1, t->refill);
      return multiple(t, op & 1u << 20, field(op, 16, 4), op & 0xffff);
    default:
      return plain(1);  // SWI goes by an exception
  }
}

unsigned timing_size(const struct timing* timing, const uint8_t* bytes) {
  return timing->arm_state || bytes[1] >> 3 > 0x1c ? 4 : 2;
}

struct step timing_decode(const struct timing* timing, const uint8_t* bytes) {
  const unsigned one = bytes[0] | (unsigned)bytes[1] << 8;
  if (timing_size(timing, bytes) == 2) return decode_thumb16(timing, one);
  const unsigned two = bytes[2] | (unsigned)bytes[3] << 8;
  return timing->arm_state ? decode_arm(timing, one | (uint32_t)two << 16) : decode_thumb32(timing, one, two);
}

unsigned timing_cycles(const struct timing* timing, const struct step* before, const struct step* now,
                       unsigned accesses, unsigned in_flash, bool elsewhere) {
  unsigned cycles = now->accesses && !accesses ? 1u : now->cycles + now->each * accesses;
  if (accesses && cycles < now->least) cycles = now->least;
  if (before && before->loads & now->needs) {
    cycles += before->interlock;
  } else if (timing->pipelined && before && before->is_single && before->loads && now->is_single && accesses) {
    cycles -= cycles > 1;
  }
  cycles += in_flash * timing->wait;
  if (elsewhere) cycles += (now->is_branch ? now->elsewhere : timing->exception) + timing->wait;
  return cycles;
}

// ---- The figures ----

#define KEY(name) {#name, offsetof(struct timing, name)}
static const struct {
  const char* name;
  size_t place;
} keys[] = {
    KEY(load),
    KEY(store),
    KEY(store_indexed),
    KEY(multiple),
    KEY(multiple_each),
    KEY(refill),
    KEY(multiple_least),
    KEY(refill_load),
    KEY(call),
    KEY(jump),
    KEY(multiply),
    KEY(accumulate),
    KEY(long_multiply),
    KEY(long_accumulate),
    KEY(divide),
    KEY(status_read),
    KEY(status_write),
    KEY(barrier),
    KEY(shift_by_register),
    KEY(exception),
    KEY(interlock),
    KEY(pipelined),
    KEY(wait),
    KEY(interlock_narrow),
    KEY(arm_state),
};

static bool parse_one(struct timing* timing, const char* text, size_t length) {
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    const size_t named = strlen(keys[i].name);
    if (length <= named + 1 || strncmp(text, keys[i].name, named) || text[named] != ':') continue;
    char* end;
    const unsigned long cycles = strtoul(text + named + 1, &end, 10);
    if (end != text + length || cycles > UINT8_MAX) return false;
    ((uint8_t*)timing)[keys[i].place] = (uint8_t)cycles;
    return true;
  }
  return false;
}

bool timing_parse(struct timing* timing, const char* text) {
  *timing = (struct timing){0};
  for (;;) {
    const size_t length = strcspn(text, "/");
    if (!parse_one(timing, text, length)) return false;
    if (!text[length]) return true;
    text += length + 1;
  }
}
