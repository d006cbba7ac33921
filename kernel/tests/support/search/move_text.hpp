// SPDX-License-Identifier: MIT
#pragma once

#include <search/alphabet.hpp>
#include <string>

/// The words for a step in the path to a failure.
namespace baton {
namespace test {
namespace search {

inline std::string text_of(const argument& a) {
  const std::string number = std::to_string(a.index);
  const std::string former = a.is_former ? "former " : "";
  switch (a.kind) {
    case values::nothing:
      return "";
    case values::tasks:
      return former + "t" + number;
    case values::messages:
      return former + "message of t" + number;
    case values::bits:
    case values::masks:
      return "bits " + number;
    case values::events:
      return "event " + number;
    case values::slots:
      return "slot " + number;
    case values::codes:
      return "code " + number;
    case values::descriptions:
      return "description " + number;
    case values::loans:
      return former + "t" + std::to_string(slot_of_loan(a.index)) + " access " + std::to_string(a.index >> 4);
    case values::places:
      return "piece " + std::to_string(places[a.index].piece) + " at " + std::to_string(places[a.index].offset);
  }
  return "";
}

inline const char* name_of(outside what) {
  static const char* const names[] = {"",
                                      "a tick passes",
                                      "an interrupt raises the event",
                                      "an interrupt notifies",
                                      "the kernel handles what is pending",
                                      "overwrites its guard",
                                      "faults"};
  return names[static_cast<uint8_t>(what)];
}

inline std::string text_of(const move& m) {
  std::string said = m.call ? m.call->name : name_of(m.from);
  const auto add = [&](const std::string& more) {
    if (!more.empty()) said += " " + more;
  };
  add(text_of(m.first));
  add(text_of(m.second));
  if (m.call && m.call->has_message) add(std::to_string(m.message_bytes) + " bytes");
  if (m.call && m.call->has_buffer) add("into " + std::to_string(m.capacity));
  if (m.timeout != kernel::unlimited) add("for " + std::to_string(m.timeout) + " ticks");
  return said;
}

}  // namespace search
}  // namespace test
}  // namespace baton
