// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/spi/text.hpp>
#include <baton/kernel/types.hpp>

/// The parts of printed lines: names, numbers, columns.
namespace baton {
namespace kernel {

namespace detail {

template <typename Sink>
void put_name(Sink& sink, const char* name) {
  for (; name && *name; ++name) sink.put(*name);
}

/// A number's digits, the lowest first.
template <typename Number>
struct digits {
  digits(Number n, uint8_t base) {
    do {
      const uint8_t digit = static_cast<uint8_t>(n % base);
      text[used++] = static_cast<char>(digit < 10 ? '0' + digit : 'a' + digit - 10);
      n = static_cast<Number>(n / base);
    } while (n);
  }
  char text[20];
  uint8_t used = 0;
};

template <typename Sink, typename Number>
void put_number(Sink& sink, Number n, uint8_t base = 10) {
  digits<Number> d(n, base);
  while (d.used) sink.put(d.text[--d.used]);
}

/// Prints a task's name, or its id if it has none.
template <typename Sink>
void put_task(Sink& sink, tid id, const char* name) {
  if (name) return put_name(sink, name);
  sink.put('#');
  put_number(sink, id, 16);
}

/// A column of limited width: counts its characters, and cuts the text if it is full.
template <typename Sink>
struct column {
  column(Sink& to, uint8_t columns) : sink(to), width(columns) {}
  ~column() { baton::spi::put_padding(sink, width, used); }
  void put(char c) {
    if (used + 1 >= width) return;
    ++used;
    sink.put(c);
  }
  Sink& sink;
  uint8_t width;
  uint8_t used = 0;
};

template <typename Sink>
void put_cell(Sink& sink, port::text text, uint8_t width) {
  column<Sink> cell(sink, width);
  baton::spi::put_text(cell, text);
}

}  // namespace detail
}  // namespace kernel
}  // namespace baton
