// SPDX-License-Identifier: MIT
//
// The lamp over fakes, in virtual time: on_fakes SCRIPT plays the script. It prints what the lamp
// says, and on standard error the lines of the script that were not met.
#include <baton/devices/fakes.hpp>
#include <baton/devices/script_player.hpp>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "../lamp.hpp"

namespace {

using button_pin = baton::devices::fake_pin<0>;
using led_pin = baton::devices::fake_pin<1>;
using line = baton::devices::fake_uart<0, 16, 4096>;

struct led {
  static void set(bool on) { led_pin::write(on); }
};
struct console {
  static void put(char c) { static_cast<void>(line::write(static_cast<uint8_t>(c))); }
};

std::string script_file;

/// The names of the script, and what they stand for.
struct world {
  static constexpr uint32_t recorded = 4096;

  static const baton::devices::script_pin* pin(const std::string& name) {
    static const baton::devices::script_pin pins[] = {baton::devices::script_pin_of<button_pin>("button"),
                                                      baton::devices::script_pin_of<led_pin>("led")};
    for (const auto& each : pins) {
      if (name == each.name) return &each;
    }
    return nullptr;
  }
  static bool supply(const std::string&, uint8_t) { return false; }
  static void receive(uint8_t byte) { line::feed(byte); }
  static uint32_t sent() { return line::sent(); }
  static const char* text() { return line::text(); }
  static void unmet(const baton::devices::script_event& event) {
    std::cerr << script_file << ':' << event.line << ": not met\n";
  }
};

using the_lamp_type = lamp<led, console>;

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::cerr << "usage: on_fakes SCRIPT\n", 2;
  script_file = arguments[1];
  std::ifstream file(script_file, std::ios::binary);
  if (!file) return std::cerr << script_file << ": cannot be read\n", 2;
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  baton::devices::script_player<world> player(text.data(), text.size());

  led_pin::configure(baton::devices::pin_mode::output);
  the_lamp_type the_lamp;
  lamp_button<button_pin, the_lamp_type> the_button(the_lamp);
  lamp_commands<line, the_lamp_type> the_commands(the_lamp);
  player.play();
  the_lamp.say("ready");
  the_button.start();
  the_commands.start();
  baton::scheduler::run();

  std::cout << line::text();
  if (player.error()) {
    return std::cerr << script_file << ':' << player.line() << ':' << player.column() << ": " << player.error() << '\n',
           2;
  }
  return player.unmet() ? 1 : 0;
}
