// SPDX-License-Identifier: MIT
#pragma once

#include <search/calls.hpp>
#include <vector>

/// The steps that the search of all states makes: calls with all their arguments, and events that
/// come from outside of the calls.
namespace baton {
namespace test {
namespace search {

/// A step that is no call: an interrupt, time, or a fault.
enum class outside : uint8_t {
  none,            ///< the step is a call of the running task
  tick,            ///< time passes
  raise_event,     ///< by an interrupt
  notify,          ///< by an interrupt
  handle_pending,  ///< the kernel handles interrupts and alarms before any call
  overwrite,       ///< the running task overwrites the guard of its stack
  fault,           ///< the running task faults
};

/// One value for a word of a request. Ids and tokens have no value of their own, as they change
/// with each use: a slot stands for them.
struct argument {
  values kind = values::nothing;
  uint8_t index = 0;       // a slot, an event, a description, or the bits
  bool is_former = false;  // the id or token that the slot had before
};

/// One step.
struct move {
  outside from = outside::none;
  const call_row* call = nullptr;
  argument first, second;
  kernel::word message_bytes = 0;
  kernel::word capacity = 0;
  tick timeout = kernel::unlimited;
};

/// A description that a task gives to `create`.
struct description {
  kernel::priority priority;
  bool is_privileged;
  kernel::error mistake;  // none, bad_buffer (no function) or bad_stack (the caller's own)
};

/// The size of a system, and the alphabet of its steps.
struct bounds {
  const char* name;
  uint8_t slots;
  std::vector<kernel::priority> priorities;  // of the tasks that main makes, one per slot from the first
  bool are_privileged = false;
  std::vector<uint8_t> calls = {};
  std::vector<tick> timeouts = {kernel::unlimited};
  std::vector<kernel::word> message_bytes = {4};
  std::vector<kernel::word> capacities = {4};
  std::vector<uint8_t> bits = {};
  std::vector<description> descriptions = {};
  std::vector<outside> from_outside = {};
  tick slice = 0;
  uint8_t reports = 0;        // the size of end_reports; the first task hears of orphans
  bool has_mistakes = false;  // adds lengths that are too long, and a timeout that is none
};

/// One interrupt event is enough: events do not touch each other.
constexpr uint8_t event_count = 1;

inline std::vector<argument> arguments_of(const bounds& b, values kind) {
  std::vector<argument> all;
  const auto add = [&](unsigned index, bool is_former) {
    all.push_back({kind, static_cast<uint8_t>(index), is_former});
  };
  const auto add_all = [&](unsigned count, bool has_former) {
    for (unsigned i = 0; i < count; ++i) {
      add(i, false);
      if (has_former) add(i, true);
    }
  };
  switch (kind) {
    case values::nothing:
      add(0, false);
      break;
    case values::tasks:
      add_all(b.slots, true);
      break;
    case values::messages:
      add_all(b.slots, true);
      add(b.slots, false);  // `no_client`
      break;
    case values::masks:
      add(0, false);
      for (const uint8_t bits : b.bits) add(bits, false);
      break;
    case values::bits:
      for (const uint8_t bits : b.bits) add(bits, false);
      break;
    case values::events:
      add_all(event_count + 1, false);
      break;
    case values::slots:
      add_all(b.slots + 1u, false);
      break;
    case values::codes:
      add(7, false);
      add(0, false);
      break;
    case values::loans:
      for (const auto access : {kernel::lease_access::read, kernel::lease_access::write}) {
        for (unsigned slot = 0; slot < b.slots; ++slot) add(index_of_loan(slot, access), false);
      }
      add(index_of_loan(0, kernel::lease_access::read_write), false);
      add(index_of_loan(0, kernel::lease_access::read), true);
      break;
    case values::places:
      add_all(sizeof places / sizeof places[0], false);
      break;
    case values::descriptions:
      add_all(static_cast<unsigned>(b.descriptions.size()), false);
      break;
  }
  return all;
}

/// Adds a call with these values, all of their combinations.
inline void add_calls(const bounds& b, const call_row& row, std::vector<move>& all) {
  const std::vector<kernel::word> none = {0};
  const std::vector<tick> no_timeout = {kernel::unlimited};
  for (const argument first : arguments_of(b, row.first))
    for (const argument second : arguments_of(b, row.second))
      for (const kernel::word out : row.has_message ? b.message_bytes : none)
        for (const kernel::word in : row.has_buffer ? b.capacities : none)
          for (const tick timeout : row.may_wait ? b.timeouts : no_timeout)
            all.push_back({outside::none, &row, first, second, out, in, timeout});
}

/// Adds a call with one mistake at a time.
inline void add_mistakes(bounds b, const call_row& row, std::vector<move>& all) {
  const bounds good = b;
  constexpr kernel::word too_long = kernel::longest_message + 1;
  b.message_bytes.resize(1);
  b.capacities.resize(1);
  b.timeouts = {kernel::longest_timeout + 1};
  if (row.may_wait) add_calls(b, row, all);
  b.timeouts = {good.timeouts[0]};
  b.message_bytes = {too_long};
  if (row.has_message) add_calls(b, row, all);
  b.message_bytes = {good.message_bytes[0]};
  b.capacities = {too_long};
  if (row.has_buffer) add_calls(b, row, all);
}

inline void add_from_outside(const bounds& b, outside what, std::vector<move>& all) {
  const bool has_task = what == outside::notify;
  for (const argument first : arguments_of(b, has_task ? values::tasks : values::nothing))
    for (const argument second : arguments_of(b, has_task ? values::bits : values::nothing))
      if (!first.is_former) all.push_back({what, nullptr, first, second, 0, 0, kernel::unlimited});
}

/// Makes the list of all steps within these bounds.
inline std::vector<move> moves_of(const bounds& b) {
  std::vector<move> all;
  for (const call_row& row : call_table) {
    for (const uint8_t number : b.calls) {
      if (number != row.number) continue;
      add_calls(b, row, all);
      if (b.has_mistakes) add_mistakes(b, row, all);
    }
  }
  for (const outside what : b.from_outside) add_from_outside(b, what, all);
  return all;
}

}  // namespace search
}  // namespace test
}  // namespace baton
