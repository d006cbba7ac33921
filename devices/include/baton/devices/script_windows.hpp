// SPDX-License-Identifier: MIT
#pragma once

#include <baton/devices/script_event.hpp>
#include <stdint.h>

namespace baton {
namespace devices {

/// A pin of a script: its name, and the functions of a fake pin.
struct script_pin {
  const char* name;
  void (*drive)(bool level);
  bool (*read)();
  uint32_t (*written)();
  bool (*wrote)(uint32_t number);
};

namespace detail {

template <typename Fake>
bool script_wrote(uint32_t number) {
  return Fake::write_of(number).level;
}

}  // namespace detail

/// Names a `fake_pin` for a script.
template <typename Fake>
constexpr script_pin script_pin_of(const char* name) {
  return {name, Fake::drive, Fake::read, Fake::written, detail::script_wrote<Fake>};
}

/// The expectations of a script that are open, and the decision about each.
///
/// Shape    a store of `Open` expectations, oldest first. `World` has `recorded`, the number of
///          sent bytes that it keeps, and these static functions: `pin(const char* name)`, which
///          returns a `const script_pin*`, null for a name that it does not know; `uint32_t sent()`
///          and `const char* text()` of what the program has sent; `void unmet(const
///          script_event&)`.
/// Context  `open()` at the beginning of an expectation, `close()` at the end of each, in one
///          domain. They are decided in the order of the script: bytes that have met an expectation
///          meet no later one.
template <typename World, uint8_t Open>
class script_windows {
  static_assert(Open != 0 && Open <= 128 && (Open & (Open - 1)) == 0,
                "baton: byte cursors wrap at 256, so Open must be a power of two up to 128");

 public:
  /// Begins the script: what was sent before counts for no expectation.
  void begin() { at_start_ = matched_ = World::sent(); }

  /// Opens an expectation; returns null, or the reason why it cannot be.
  const char* open(const script_event& event) {
    if (count_ == Open) return "too many expectations are open";
    window& w = at(count_);
    w.event = event;
    w.from = event.at_us ? World::sent() : at_start_;
    w.is_closed = w.is_met = false;
    if (event.kind == script_kind::expect_pin) {
      w.pin = World::pin(event.name);
      if (!w.pin) return "there is no such pin here";
      w.writes = w.pin->written();
      w.is_met = w.pin->read() == (event.value != 0);
    }
    ++count_;
    return nullptr;
  }

  /// Closes the expectations whose end is due, and decides those that can be.
  template <typename IsDue>
  void close(IsDue is_due) {
    for (uint8_t i = 0; i < count_; ++i) {
      window& w = at(i);
      if (w.is_closed || !is_due(end_us(w))) continue;
      w.is_closed = true;
      w.until = World::sent();
      if (w.event.kind == script_kind::expect_pin) w.is_met = w.is_met || has_been(w);
    }
    for (; count_ && at(0).is_closed; ++first_, --count_) decide(at(0));
  }

  bool are_open() const { return count_ != 0; }

  /// The time of the next end, the greatest number without one.
  uint32_t next_us() const {
    uint32_t next = UINT32_MAX;
    for (uint8_t i = 0; i < count_; ++i) {
      const window& w = windows_[(first_ + i) % Open];
      if (!w.is_closed && end_us(w) < next) next = end_us(w);
    }
    return next;
  }

  uint16_t met() const { return met_; }
  uint16_t unmet() const { return unmet_; }

 private:
  struct window {
    script_event event;
    const script_pin* pin = nullptr;
    uint32_t from = 0, until = 0, writes = 0;
    bool is_closed = false, is_met = false;
  };

  window& at(uint8_t number) { return windows_[(first_ + number) % Open]; }
  static uint32_t end_us(const window& w) { return w.event.at_us + w.event.within_us; }

  /// Tells whether the pin has the level, or was given it since the expectation began.
  static bool has_been(const window& w) {
    const bool level = w.event.value != 0;
    for (uint32_t i = w.writes; i != w.pin->written(); ++i) {
      if (w.pin->wrote(i) == level) return true;
    }
    return w.pin->read() == level;
  }

  void decide(window& w) {
    if (w.event.kind == script_kind::expect_silence) w.is_met = w.from == w.until;
    if (w.event.kind == script_kind::expect_uart) w.is_met = find(w);
    ++(w.is_met ? met_ : unmet_);
    if (!w.is_met) World::unmet(w.event);
  }

  /// Finds the bytes of an expectation in what was sent while it was open.
  bool find(const window& w) {
    const uint32_t until = w.until < World::recorded ? w.until : World::recorded;
    const char* const text = World::text();
    for (uint32_t at = w.from < matched_ ? matched_ : w.from; at + w.event.length <= until; ++at) {
      uint8_t same = 0;
      while (same < w.event.length && static_cast<uint8_t>(text[at + same]) == w.event.data[same]) ++same;
      if (same < w.event.length) continue;
      matched_ = at + same;
      return true;
    }
    return false;
  }

  window windows_[Open];
  uint32_t at_start_ = 0, matched_ = 0;
  uint16_t met_ = 0, unmet_ = 0;
  uint8_t first_ = 0, count_ = 0;
};

}  // namespace devices
}  // namespace baton
