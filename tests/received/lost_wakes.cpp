// SPDX-License-Identifier: MIT
//
// Receives bytes while the scheduler is on its way to sleep. The first of two bytes wakes the
// device; its work then takes an instruction longer with each pair, so that the second byte comes
// before every instruction of the way back to sleep. When the next byte comes, the one before must
// have been seen: the handler compares.
#include <baton/board_serial.hpp>
#include <baton/core.hpp>

#include "../interrupts/verdict.hpp"

namespace {

constexpr uint16_t longest_work = 560;

volatile uint16_t received;
volatile uint16_t seen;
uint16_t lost;
baton::isr_signal signal;

void on_byte(uint8_t) {
  if (seen != received) ++lost;
  received = static_cast<uint16_t>(received + 1);
  signal.set();
}

/// Takes about so many instructions, and one more for one more.
void work(uint16_t instructions) {
  switch (instructions & 3) {
    case 3:
      __asm__ volatile("nop");  // fall through
    case 2:
      __asm__ volatile("nop");  // fall through
    case 1:
      __asm__ volatile("nop");  // fall through
    default:
      break;
  }
  for (uint16_t turns = instructions >> 2; turns; --turns) __asm__ volatile("nop");
}

struct consumer : baton::coroutine<consumer, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    while (received < BATON_BYTES_SENT) {
      BATON_WAIT(signal.wait());
      seen = received;
      if (seen & 1) work(static_cast<uint16_t>(seen / 2 % longest_work));
    }
    verdict::line("bytes", received);
    verdict::line("lost wakes", lost);
    verdict::give(!lost);
    BATON_END();
  }
};

consumer the_consumer;

}  // namespace

int main() {
  baton::board::start();
  the_consumer.start();
  baton::board::serial_in::listen(on_byte);
  baton::scheduler::run();
}
