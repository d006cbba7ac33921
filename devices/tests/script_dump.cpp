// SPDX-License-Identifier: MIT
//
// Prints what the reader of scripts makes of many texts, for script_fuzz.py. On standard input each
// text stands behind a line with its length. Standard output has a line for each event, and one for
// the end or the error.
#include <baton/devices/script.hpp>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace {

using baton::devices::script_event;
using baton::devices::script_kind;

const char* name_of(script_kind kind) {
  static const char* const names[] = {"pin", "adc", "uart", "expect_pin", "expect_uart", "expect_silence"};
  return names[static_cast<unsigned>(kind)];
}

void print(const script_event& event) {
  std::printf("%lu %lu %s %s %u ", static_cast<unsigned long>(event.line), static_cast<unsigned long>(event.at_us),
              name_of(event.kind), event.name[0] ? event.name : "-", event.value);
  for (uint8_t i = 0; i < event.length; ++i) std::printf("%02x", event.data[i]);
  std::printf("- %lu\n", static_cast<unsigned long>(event.within_us));
}

void dump(const std::string& text) {
  // A copy of exactly its size, so that a sanitizer sees a read behind its end.
  const std::vector<char> copy(text.begin(), text.end());
  baton::devices::script_reader reader(copy.data(), copy.size());
  script_event event;
  while (reader.next(event)) print(event);
  if (reader.error()) {
    std::printf("error %lu %lu %s\n", static_cast<unsigned long>(reader.line()),
                static_cast<unsigned long>(reader.column()), reader.error());
  } else {
    std::printf("end\n");
  }
}

}  // namespace

int main() {
  std::string header;
  while (std::getline(std::cin, header)) {
    std::string text(std::stoul(header), '\0');
    std::cin.read(&text[0], static_cast<std::streamsize>(text.size()));
    dump(text);
  }
}
