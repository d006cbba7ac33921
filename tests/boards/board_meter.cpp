// SPDX-License-Identifier: MIT
//
// Counts an empty interval and a loop with a known count, then prints the expected counts. Each
// line has to be there twice, once as counted and once as known. BATON_MUTANT seeds the defects
// that the test has to find.
#include <baton/board.hpp>
#include <baton/board_known_loop.hpp>
#include <baton/board_meter.hpp>

#ifndef BATON_MUTANT
#define BATON_MUTANT 0
#endif

namespace {

using baton::board::known_loop;
using baton::board::meter;

void print(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

void print_number(uint16_t n) {
  if (n >= 10) print_number(n / 10);
  baton::board::console::put(static_cast<char>('0' + n % 10));
}

void print_known(const char* key, uint16_t n) {
  print(key);
  print_number(n);
  print(".000");
}

/// The counts of memory accesses, if the meter has any.
template <typename Loop, bool Counts>
struct memory {
  static void print_counted(const char* text) { print(text); }
  static void print_empty() { print(" reads=0.000 writes=0.000"); }
  static void print_loop() {
    print_known(" reads=", Loop::reads);
    print_known(" writes=", Loop::writes);
  }
};
template <typename Loop>
struct memory<Loop, false> {
  static void print_counted(const char*) {}
  static void print_empty() {}
  static void print_loop() {}
};
using memory_counts = memory<known_loop, meter::counts_memory>;

void measure() {
  volatile uint8_t word = 0;
  meter::settle();
  meter::start();
  if (BATON_MUTANT == 1) __asm__ volatile("nop");
  meter::stop();
  meter::start();
  known_loop::run();
  if (BATON_MUTANT == 2) word = 1;
  meter::stop();
  static_cast<void>(word);
}

}  // namespace

int main() {
  baton::board::start();
  measure();
  print("baton-bench/1 empty value=#0");
  memory_counts::print_counted(" reads=#r0 writes=#w0");
  print(" loop value=#1");
  memory_counts::print_counted(" reads=#r1 writes=#w1");
  print(" iterations=1\nbaton-bench/1 empty value=0.000");
  memory_counts::print_empty();
  print_known(" loop value=", known_loop::value);
  memory_counts::print_loop();
  print(" iterations=1\n");
  baton::board::finish(0);
}
