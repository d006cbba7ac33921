// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <baton/devices/script.hpp>
#include <baton/devices/script_windows.hpp>
#include <stddef.h>
#include <stdint.h>

namespace baton {
namespace devices {

/// Plays a script over fakes, and decides its expectations.
///
/// Shape    a coroutine, with a store for `Open` expectations that are open at a time and for 256
///          bytes that wait for the line. `World` has the static functions of `script_windows`,
///          `bool supply(const char* name, uint8_t percent)`, which is false for a name that it
///          does not know, and `void receive(uint8_t byte)`. The script must live as long.
/// Context  a coroutine of the domain, in place of the outside world. It runs when the jobs that
///          were ready before have run. In virtual time its times are exact, and a byte takes as
///          long as at `Baud`. It stops the scheduler when the script is over.
/// Errors   a line that the reader refuses, a name that the world lacks, and a store that is full
///          end the script: `error()`, `line()` and `column()`.
template <typename World, uint8_t Open = 16, uint32_t Baud = 115200>
struct script_player : coroutine<script_player<World, Open, Baud>, timed> {
  static constexpr uint16_t waiting_bytes = 256;
  static constexpr uint32_t byte_us = (10 * 1000000u + Baud - 1) / Baud;

  script_player(const char* text, size_t length) : reader_(text, length) {}

  /// Starts the script's time, and the coroutine. All that the program sends from here on counts.
  void play() {
    began_ = port::now();
    windows_.begin();
    if (is_understood()) advance();
    this->start();
  }

  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      if (!error_) feed();
      while (has_event_ && !error_ && is_due(event_.at_us)) act();
      windows_.close([this](uint32_t us) { return is_due(us); });
      if (error() || (!has_event_ && !windows_.are_open() && first_ == last_)) break;
      BATON_DELAY_UNTIL(due(next_us()));
    }
    scheduler::stop();
    BATON_END();
  }

  /// The reason why the script could not be played; null if it could.
  const char* error() const { return error_ ? error_ : reader_.error(); }
  uint32_t line() const { return error_ ? event_.line : reader_.line(); }
  uint32_t column() const { return error_ ? 1 : reader_.column(); }

  /// The number of expectations that were met, and that were not.
  uint16_t met() const { return windows_.met(); }
  uint16_t unmet() const { return windows_.unmet(); }

 private:
  tick due(uint32_t us) const { return began_ + microseconds(us); }
  bool is_due(uint32_t us) const { return static_cast<tick>(port::now() - began_) >= microseconds(us).ticks(); }

  /// Reads the whole script, so that a wrong line stops it before its first event.
  bool is_understood() {
    script_reader all = reader_;
    while (all.next(event_)) {
    }
    if (all.error()) reader_ = all;
    return !all.error();
  }

  void advance() { has_event_ = reader_.next(event_); }

  void act() {
    switch (event_.kind) {
      case script_kind::pin: {
        const script_pin* const pin = World::pin(event_.name);
        if (!pin || !pin->drive) return fail("there is no such pin here");
        pin->drive(event_.value != 0);
        break;
      }
      case script_kind::adc:
        if (!World::supply(event_.name, event_.value)) return fail("there is no such channel here");
        break;
      case script_kind::uart:
        queue();
        if (error_) return;
        break;
      default: {
        const char* const why = windows_.open(event_);
        if (why) return fail(why);
      }
    }
    advance();
  }

  /// Adds bytes for the receiver. The line is busy until the bytes before have passed.
  void queue() {
    if (last_ - first_ + event_.length > waiting_bytes) return fail("too many bytes wait for the line");
    if (first_ == last_ && free_us_ < event_.at_us) free_us_ = event_.at_us;
    for (uint8_t i = 0; i < event_.length; ++i) bytes_[last_++ % waiting_bytes] = event_.data[i];
    feed();
  }

  void feed() {
    for (; first_ != last_ && is_due(free_us_); free_us_ += byte_us) World::receive(bytes_[first_++ % waiting_bytes]);
  }

  uint32_t next_us() const {
    uint32_t next = windows_.next_us();
    if (has_event_ && event_.at_us < next) next = event_.at_us;
    return first_ != last_ && free_us_ < next ? free_us_ : next;
  }

  void fail(const char* why) { error_ = why; }

  script_reader reader_;
  script_event event_;
  script_windows<World, Open> windows_;
  const char* error_ = nullptr;
  tick began_ = 0;
  uint32_t free_us_ = 0;
  uint32_t first_ = 0, last_ = 0;
  bool has_event_ = false;
  uint8_t bytes_[waiting_bytes] = {};
};

}  // namespace devices
}  // namespace baton
