// SPDX-License-Identifier: MIT
//
// A command line over Serial: `line_reader` echoes, takes characters back at a backspace, and
// refuses a line that is too long. Serial tells nobody that a byte has come, so a job looks once a
// millisecond.
#include <BatonDevices.h>

using line = baton::arduino::uart<decltype(Serial), Serial>;

struct shell : baton::devices::line_reader<shell, line, 16> {
  void on_line(const char* text, uint8_t length) {
    Serial.print(F("got "));
    Serial.print(length);
    Serial.print(F(" characters: "));
    Serial.println(text);
    Serial.print(overlong());
    Serial.println(F(" lines were too long"));
  }
};

shell the_shell;

void setup() {
  the_shell.start();
}

void loop() {
  baton::scheduler::run();
}
