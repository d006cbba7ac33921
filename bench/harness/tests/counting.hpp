// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/measure.hpp>

using steps = baton::bench::operations<1000>;

/// A workload that counts `Missing` less than it should.
template <uint8_t Missing>
struct counting : baton::bench::workload {
  static volatile uint32_t counter;

  static void prepare() { counter = 0; }
  static void run() {
    while (counter < steps::count() - Missing) counter = counter + 1;
  }
  static bool finish() { return counter == steps::count(); }
};
template <uint8_t Missing>
volatile uint32_t counting<Missing>::counter;

inline baton::bench::row row_of(baton::port::text name) {
  return baton::bench::row(BATON_TEXT("harness"), name, BATON_TEXT("shape=loop"), steps::count());
}
