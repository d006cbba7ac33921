// SPDX-License-Identifier: MIT
#include <baton/board_serial.hpp>

namespace {

char received[16];
volatile uint8_t count;

void store(uint8_t byte) {
  const uint8_t n = count;
  if (n == sizeof received) return;
  received[n] = static_cast<char>(byte);
  count = static_cast<uint8_t>(n + 1);
}

void print(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

}  // namespace

int main() {
  baton::board::start();
  baton::board::serial_in::listen(store);
  while (count == 0 || received[count - 1] != '\n') {
  }
  print("got ");
  for (uint8_t i = 0; i < count; ++i) baton::board::console::put(received[i]);
  baton::board::finish(0);
}
