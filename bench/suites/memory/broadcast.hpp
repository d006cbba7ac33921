// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"

template <int Which>
struct value {
  uint8_t bytes[Which + 1];
};

template <int Which>
using air = baton::broadcast<value<Which>, 4, baton::slow_reader::loses_oldest>;

template <int Which>
struct sending : baton::coroutine<sending<Which>, baton::waiting> {
  explicit sending(air<Which>& a) : to(a) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      sent.bytes[0] = static_cast<uint8_t>(work + Which);
      BATON_WAIT(to.send(sent));
      BATON_YIELD();
    }
    BATON_END();
  }

  air<Which>& to;
  value<Which> sent;
};

template <int Which>
struct hearing : baton::coroutine<hearing<Which>, baton::waiting> {
  explicit hearing(air<Which>& a) : from(a) {}

  baton::point step(baton::point at) {
    BATON_BEGIN();
    from.subscribe(heard);
    for (;;) {
      BATON_WAIT(from.receive(heard));
      work = heard.value().bytes[0] + Which;
    }
    BATON_END();
  }

  air<Which>& from;
  typename air<Which>::reader heard;
};

template <int Which>
struct pair {
  air<Which> values;
  sending<Which> a{values};
  hearing<Which> b{values};

  void start() {
    a.start();
    b.start();
  }
};
