// SPDX-License-Identifier: MIT
//
// Three tasks in 2 KB: a server, a client that sleeps and is woken by an interrupt, and a task that
// both interrupt, in its own code and in the kernel's. Its registers must survive all of it.
#include <baton/board.hpp>
#include <baton/kernel.hpp>
#include <baton/kernel_isr.hpp>

namespace kernel = baton::kernel;
using baton::tick;

namespace {

constexpr uint8_t rounds = 100;
constexpr uint16_t interrupted_rounds = 3000;

kernel::system<3, 3, 1> tasks;
kernel::stack<192> server_stack, client_stack, worker_stack;
kernel::tid server;
volatile uint16_t interrupts;
volatile uint8_t wrong_registers;
constexpr uint8_t shortest = 20;  // interval of timer0, in units of 4 us
volatile uint16_t worked;

void put(const char* p) {
  for (char c; (c = pgm_read_byte(p)) != 0; ++p) baton::board::console::put(c);
}

void put(uint16_t n) {
  char digits[5];
  uint8_t count = 0;
  do digits[count++] = static_cast<char>('0' + n % 10);
  while (n /= 10);
  while (count) baton::board::console::put(digits[--count]);
}

void line(const char* what, uint16_t n) {
  put(what);
  put(n);
  baton::board::console::put('\n');
}

void serve(void*) {
  uint8_t message[4];
  kernel::received m = kernel::receive(message, sizeof message);
  for (;;) {
    ++message[0];
    m = kernel::reply_receive(m.client, message, m.length(), message, sizeof message);
  }
}

/// Returns the sum of all registers, which were set before a while in which any interrupt may come.
__attribute__((noinline)) uint8_t sum_of_registers() {
  uint8_t sum;
  __asm__ volatile(
      "ldi r30, 1\n\tmov r2, r30\n\tinc r30\n\tmov r3, r30\n\tinc r30\n\tmov r4, r30\n\tinc r30\n\tmov r5, r30\n\t"
      "inc r30\n\tmov r6, r30\n\tinc r30\n\tmov r7, r30\n\tinc r30\n\tmov r8, r30\n\tinc r30\n\tmov r9, r30\n\t"
      "inc r30\n\tmov r10, r30\n\tinc r30\n\tmov r11, r30\n\tinc r30\n\tmov r12, r30\n\tinc r30\n\tmov r13, r30\n\t"
      "inc r30\n\tmov r14, r30\n\tinc r30\n\tmov r15, r30\n\tinc r30\n\tmov r16, r30\n\tinc r30\n\tmov r17, r30\n\t"
      "ldi r18, 31\n\tldi r19, 37\n\tldi r20, 41\n\tldi r21, 43\n\tldi r22, 47\n\tldi r23, 53\n\tldi r26, 59\n\t"
      "ldi r27, 61\n\tldi r31, 67\n\tmov r0, r19\n\tldi r24, 0\n\tldi r25, 8\n\tset\n\t"
      "1: sbiw r24, 1\n\tbrne 1b\n\t"
      "brts 2f\n\tclr r18\n\t2:\n\t"
      "lsl r18\n\tadd r18, r19\n\tlsl r18\n\tadd r18, r20\n\tlsl r18\n\tadd r18, r21\n\tlsl r18\n\tadd r18, r22\n\t"
      "lsl r18\n\tadd r18, r23\n\tlsl r18\n\tadd r18, r26\n\tlsl r18\n\tadd r18, r27\n\tlsl r18\n\tadd r18, r30\n\t"
      "lsl r18\n\tadd r18, r31\n\tadd r18, r2\n\tlsl r18\n\tadd r18, r3\n\tlsl r18\n\tadd r18, r4\n\tlsl r18\n\t"
      "add r18, r5\n\tlsl r18\n\tadd r18, r6\n\tlsl r18\n\tadd r18, r7\n\tlsl r18\n\tadd r18, r8\n\tlsl r18\n\t"
      "add r18, r9\n\tlsl r18\n\tadd r18, r10\n\tlsl r18\n\tadd r18, r11\n\tlsl r18\n\tadd r18, r12\n\tlsl r18\n\t"
      "add r18, r13\n\tlsl r18\n\tadd r18, r14\n\tlsl r18\n\tadd r18, r15\n\tlsl r18\n\tadd r18, r16\n\tlsl r18\n\t"
      "add r18, r17\n\tadd r18, r0\n\tmov %0, r18"
      : "=r"(sum)
      :
      : "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "r16", "r17", "r18",
        "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27", "r30", "r31");
  return sum;
}

void work(void*) {
  cli();
  const uint8_t expected = sum_of_registers();
  sei();
  for (;;) {
    if (sum_of_registers() != expected) wrong_registers = 1;
    ++worked;
    for (uint8_t i = 0; i < 8; ++i) kernel::yield();
  }
}

/// Lets Timer0 interrupt every 80 to 332 us from here on: its phase moves against everything else.
void let_timer0_interrupt() {
  OCR0A = shortest;
  TCCR0A = _BV(WGM01);
  TCCR0B = _BV(CS01) | _BV(CS00);
  TIMSK0 = _BV(OCIE0A);
}

void be_client(void*) {
  uint8_t late = 0, wrong = 0;
  for (uint8_t i = 0; i < rounds; ++i) {
    const tick begun = kernel::now();
    kernel::sleep(baton::ticks(1111 + 7 * i));
    if (kernel::now() - begun > 1500u + 7 * i) ++late;
    uint8_t message[4] = {i};
    if (kernel::send(server, message, sizeof message, message, sizeof message).length() != 4 || message[0] != i + 1)
      ++wrong;
  }
  line(PSTR("late: "), late);
  line(PSTR("wrong replies: "), wrong);
  let_timer0_interrupt();
  uint16_t missed = 0;
  for (uint16_t i = 0; i < interrupted_rounds; ++i) {
    if (!kernel::wait_interrupt_event(0, baton::ticks(8000))) ++missed;
  }
  line(PSTR("missed interrupts: "), missed);
  line(PSTR("wrong registers: "), wrong_registers);
  kernel::task_report r;
  for (uint8_t place = 0; place < 3; ++place) {
    kernel::inspect(place, r);
    line(PSTR("bytes of stack: "), r.stack_used);
  }
  uint16_t came;
  {
    baton::port::critical masked;
    came = interrupts;
  }
  const bool is_good = !late && !wrong && !missed && !wrong_registers && came >= interrupted_rounds && worked > 10;
  put(is_good ? PSTR("verdict: good\n") : PSTR("verdict: bad\n"));
  baton::board::finish(is_good ? 0 : 1);
}

}  // namespace

BATON_KERNEL_ISR(TIMER0_COMPA_vect) {
  interrupts = interrupts + 1;
  OCR0A = static_cast<uint8_t>(shortest + (OCR0A * 5 + 3) % 64);
  kernel::from_interrupt::raise_event(tasks, 0);
}

int main() {
  baton::board::start();
  server = tasks.create(kernel::describe(2, serve, server_stack, "server")).id;
  tasks.create(kernel::describe(1, be_client, client_stack, "client"));
  tasks.create(kernel::describe(0, work, worker_stack, "worker"));
  tasks.run();
}
