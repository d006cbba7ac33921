// SPDX-License-Identifier: MIT
#pragma once

namespace ace_routine {
namespace testing {

namespace internal {

/// A template, so that a header can define its variables.
template <typename Unused>
struct TestableTime {
  static unsigned long millis, micros, seconds;
};
template <typename Unused>
unsigned long TestableTime<Unused>::millis;
template <typename Unused>
unsigned long TestableTime<Unused>::micros;
template <typename Unused>
unsigned long TestableTime<Unused>::seconds;

}  // namespace internal

/// A clock whose three functions return the values that a test has set.
class TestableClockInterface {
 public:
  static unsigned long millis() { return time::millis; }
  static unsigned long micros() { return time::micros; }
  static unsigned long seconds() { return time::seconds; }

  static void setMillis(unsigned long millis) { time::millis = millis; }
  static void setMicros(unsigned long micros) { time::micros = micros; }
  static void setSeconds(unsigned long seconds) { time::seconds = seconds; }

 private:
  using time = internal::TestableTime<void>;
};

}  // namespace testing
}  // namespace ace_routine
