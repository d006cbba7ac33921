// SPDX-License-Identifier: MIT
#include "counting.hpp"

int main() {
  baton::board::start();
  baton::bench::measure<counting<1>, baton::bench::none, baton::bench::none>(row_of(BATON_TEXT("wrong")));
  baton::bench::finish();
}
