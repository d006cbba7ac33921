// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"

template <int Which>
using stream = baton::pipe<Which == 1 ? 16 : 8>;

template <int Which>
struct writing : baton::coroutine<writing<Which>, baton::waiting> {
  explicit writing(stream<Which>& s) : to(s) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      byte = static_cast<uint8_t>(work + Which);
      BATON_WAIT(to.write(out));
    }
    BATON_END();
  }

  stream<Which>& to;
  uint8_t byte = 0;
  baton::pipe_write out{&byte, 1};
};

template <int Which>
struct reading : baton::coroutine<reading<Which>, baton::waiting> {
  explicit reading(stream<Which>& s) : from(s) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(from.read(in));
      work = bytes[0] + Which;
    }
    BATON_END();
  }

  stream<Which>& from;
  uint8_t bytes[4] = {};
  baton::pipe_read in{bytes, 4};
};

template <int Which>
struct pair {
  stream<Which> bytes;
  writing<Which> a{bytes};
  reading<Which> b{bytes};

  void start() {
    a.start();
    b.start();
  }
};
