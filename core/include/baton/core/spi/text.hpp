// SPDX-License-Identifier: MIT
#pragma once

#include <baton/port.hpp>
#include <stdint.h>

/// Service-provider interface of core: text to a sink, an object with `void put(char)`.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
namespace baton {
namespace spi {

/// Writes the characters of `text`, which may lie in flash.
template <typename Sink>
void put_text(Sink& sink, port::text text) {
  for (char c; (c = port::read(text)) != 0; ++text) sink.put(c);
}

/// Ends a line, with CRLF.
template <typename Sink>
void put_line_end(Sink& sink) {
  sink.put('\r');
  sink.put('\n');
}

/// The characters of `text` before its null.
/// Units    characters; no more than 255.
inline uint8_t length(port::text text) {
  uint8_t n = 0;
  while (port::read(text++)) ++n;
  return n;
}

/// Writes the spaces that fill a cell of `width`, of which `used` are written.
template <typename Sink>
void put_padding(Sink& sink, uint8_t width, uint8_t used) {
  for (; used < width; ++used) sink.put(' ');
}

/// Writes `n` in decimal, at the right of a cell of `width`.
template <typename Sink>
void put_number(Sink& sink, uint16_t n, uint8_t width = 0) {
  char digits[5];
  uint8_t used = 0;
  do {
    digits[used++] = static_cast<char>('0' + n % 10);
    n /= 10;
  } while (n);
  put_padding(sink, width, used);
  while (used) sink.put(digits[--used]);
}

/// The upper bound of a bin, `<2us` to `<4295s`.
inline port::text bin_label(uint8_t bin) {
  port::text label = BATON_TEXT(
      "<2us\0<4us\0<8us\0<16us\0<32us\0<64us\0<128us\0<256us\0<512us\0<1ms\0<2ms\0<4ms\0<8ms\0<16ms\0<33ms\0<66ms\0<"
      "131ms\0"
      "<262ms\0<524ms\0<1s\0<2s\0<4s\0<8s\0<17s\0<34s\0<67s\0<134s\0<268s\0<537s\0<1074s\0<2147s\0<4295s\0");
  for (; bin; --bin) label += length(label) + 1;
  return label;
}

/// Writes `name`, cut or filled to 12 characters. It may be null.
template <typename Sink>
void put_name_cell(Sink& sink, port::text name) {
  uint8_t used = 0;
  for (; name && used < 12 && port::read(name); ++used) sink.put(port::read(name++));
  put_padding(sink, 12, used);
}

}  // namespace spi
}  // namespace baton
