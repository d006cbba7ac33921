// SPDX-License-Identifier: MIT
#pragma once

#include <Arduino.h>
#include <stdint.h>

#include <baton/core/attributes.hpp>

#include <ace_routine/ClockInterface.h>
#include <ace_routine/CoroutineProfiler.h>
#include <ace_routine/macros.h>
#include <ace_routine/status_names.h>
#include <ace_routine/text.h>

namespace ace_routine {

template <typename T_COROUTINE>
class CoroutineSchedulerTemplate;

/// A coroutine. A subclass, made by COROUTINE or by hand, supplies `runCoroutine()`.
///
/// Shape    16 bytes on AVR. The constructor puts the object in front of the list of its type,
///          where it stays: an object lives as long as the program.
/// Units    a delay is a `T_DELAY` of 16 bits, in milliseconds, microseconds or seconds. It loses
///          the bits beyond those, and is then cut to 32767. After its end a delay reads as expired
///          for at least another 32768 units.
/// Context  one thread, never an interrupt; no locks.
/// Cost     a visit of the scheduler: compat/aceroutine/benchmarks, row CoroutineScheduling.
template <typename T_CLOCK, typename T_DELAY>
class CoroutineTemplate {  // NOLINT(cppcoreguidelines-virtual-class-destructor): no code destroys a coroutine
  template <typename T_COROUTINE>
  friend class CoroutineSchedulerTemplate;

 public:
  using Status = uint8_t;

  static constexpr Status kStatusSuspended = 0;   ///< the scheduler skips it
  static constexpr Status kStatusYielding = 1;    ///< it goes on when it is visited; also until its first wait
  static constexpr Status kStatusDelaying = 2;    ///< it checks the clock when it is visited
  static constexpr Status kStatusRunning = 3;     ///< its body is running
  static constexpr Status kStatusEnding = 4;      ///< its body has ended since its last visit
  static constexpr Status kStatusTerminated = 5;  ///< its body had ended before that

  static constexpr uint8_t kNameTypeCString = 0;
  static constexpr uint8_t kNameTypeFString = 1;

  CoroutineTemplate(const CoroutineTemplate&) = delete;
  CoroutineTemplate& operator=(const CoroutineTemplate&) = delete;

  /// The head of the list: the coroutine that was made last. The list ends with null.
  static CoroutineTemplate** getRoot() {
    static CoroutineTemplate* root;
    return &root;
  }
  CoroutineTemplate** getNext() { return &mNext; }

  /// Runs one step of the body, to its next yield, delay, await or end. The return value has no
  /// meaning.
  virtual int runCoroutine() = 0;

  /// Called by `setupCoroutines()`.
  virtual void setupCoroutine() {}

  /// Does nothing. Programs older than AceRoutine 1.3 call one of these.
  __attribute__((deprecated)) void setupCoroutine(const char* /*name*/) {}
  __attribute__((deprecated)) void setupCoroutine(const __FlashStringHelper* /*name*/) {}

  /// Runs one step, and times it if there is a profiler.
  BATON_INLINE int runCoroutineWithProfiler() { return mProfiler ? runTimed_() : runCoroutine(); }

  /// Makes the scheduler skip the coroutine until `resume()`. It has no effect after the body has
  /// ended. A coroutine cannot suspend itself: its next yield, delay or await undoes the
  /// suspension.
  void suspend() {
    if (!isDone()) mStatus = kStatusSuspended;
  }

  /// Continues the coroutine at its next visit, after `suspend()`. A delay that has not ended goes
  /// on, too.
  void resume() {
    if (isSuspended()) mStatus = kStatusYielding;
  }

  /// Starts the body over at the next visit, also if it is suspended or has ended. Members keep
  /// their values.
  void reset() {
    mJumpPoint = nullptr;
    mStatus = kStatusYielding;
  }

  /// True if the last delay, in milliseconds, microseconds or seconds, is over. Before the first
  /// delay it is true in a static object, and undetermined in other objects.
  bool isDelayExpired() const { return isOver_(T_CLOCK::millis()); }
  bool isDelayMicrosExpired() const { return isOver_(T_CLOCK::micros()); }
  bool isDelaySecondsExpired() const { return isOver_(T_CLOCK::seconds()); }

  bool isSuspended() const { return mStatus == kStatusSuspended; }
  bool isYielding() const { return mStatus == kStatusYielding; }
  bool isDelaying() const { return mStatus == kStatusDelaying; }
  bool isRunning() const { return mStatus == kStatusRunning; }
  bool isEnding() const { return mStatus == kStatusEnding; }
  bool isTerminated() const { return mStatus == kStatusTerminated; }

  /// True if the body has ended.
  bool isDone() const { return mStatus >= kStatusEnding; }

  /// Prints the name of the status.
  void statusPrintTo(Print& printer) const {
    baton::port::text name = internal::kStatusNames;
    for (Status left = mStatus; left; --left) name += baton::spi::length(name) + 1;
    internal::PrintSink sink(printer);
    baton::spi::put_text(sink, name);
  }

  /// Sets the name. The pointer is kept; null means no name.
  void setName(const char* name) { setName_(name, kNameTypeCString); }
  void setName(const __FlashStringHelper* name) { setName_(name, kNameTypeFString); }

  /// The kind of the name, and the name as that kind.
  uint8_t getNameType() const { return mName ? mNameType : kNameTypeCString; }
  const char* getCName() const { return static_cast<const char*>(mName); }
  const __FlashStringHelper* getFName() const { return static_cast<const __FlashStringHelper*>(mName); }

  /// Prints the name, or else the address as 0x and hexadecimal digits. If `maxLen` is not 0, the
  /// text is cut or padded with spaces to that length.
  void printNameTo(Print& printer, uint8_t maxLen = 0) const {
    internal::NameCell cell(printer, maxLen);
    if (!mName) {
      cell.putAddress(reinterpret_cast<uintptr_t>(this));
    } else if (mNameType == kNameTypeCString) {
      for (const char* p = getCName(); *p && cell.put(*p); ++p) {
      }
    } else {
      baton::port::text p = reinterpret_cast<baton::port::text>(getFName());
      for (char c; (c = baton::port::read(p)) != 0 && cell.put(c); ++p) {
      }
    }
    cell.finish();
  }

  /// Sets the profiler that receives the times of the steps; null: none.
  void setProfiler(CoroutineProfiler* profiler) { mProfiler = profiler; }
  CoroutineProfiler* getProfiler() const { return mProfiler; }

 protected:
  CoroutineTemplate() : mNext(*getRoot()) { *getRoot() = this; }

  Status getStatus() const { return mStatus; }
  void setYielding() { mStatus = kStatusYielding; }
  void setDelaying() { mStatus = kStatusDelaying; }
  void setRunning() { mStatus = kStatusRunning; }
  void setEnding() { mStatus = kStatusEnding; }
  void setTerminated() { mStatus = kStatusTerminated; }

  /// The label at which the body goes on; null: its beginning.
  void* getJump() const { return mJumpPoint; }
  // GCC 12 takes a label for a local variable, whose address must not outlive the call. Other
  // compilers do not know the warning.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wdangling-pointer"
  void setJump(void* jumpPoint) { mJumpPoint = jumpPoint; }
#pragma GCC diagnostic pop

  /// Begins a delay, which `isDelayExpired()` and its like test.
  void setDelayMillis(T_DELAY count) { setDelay_(T_CLOCK::millis(), count); }
  void setDelayMicros(T_DELAY count) { setDelay_(T_CLOCK::micros(), count); }
  void setDelaySeconds(T_DELAY count) { setDelay_(T_CLOCK::seconds(), count); }

  static unsigned long coroutineMillis() { return T_CLOCK::millis(); }
  static unsigned long coroutineMicros() { return T_CLOCK::micros(); }
  static unsigned long coroutineSeconds() { return T_CLOCK::seconds(); }

 private:
  int runTimed_() {
    uint32_t begun = T_CLOCK::micros();
    runCoroutine();
    uint32_t elapsed = static_cast<uint32_t>(T_CLOCK::micros()) - begun;
    mProfiler->updateElapsedMicros(elapsed);
    return 0;
  }

  static constexpr T_DELAY kMaxDelay = static_cast<T_DELAY>(-1) / 2;

  BATON_INLINE void setDelay_(unsigned long now, T_DELAY count) {
    mDelayStart = static_cast<T_DELAY>(now);
    mDelayDuration = count >= kMaxDelay ? kMaxDelay : count;
  }
  BATON_INLINE bool isOver_(unsigned long now) const {
    return static_cast<T_DELAY>(static_cast<T_DELAY>(now) - mDelayStart) >= mDelayDuration;
  }
  void setName_(const void* name, uint8_t type) {
    mName = name;
    mNameType = type;
  }

 protected:
  CoroutineTemplate* mNext;
  void* mJumpPoint = nullptr;
  const void* mName = nullptr;
  uint8_t mNameType;  // unset while there is no name
  Status mStatus = kStatusYielding;
  T_DELAY mDelayStart;  // both unset before the first delay, and 0 in a static object
  T_DELAY mDelayDuration;
  CoroutineProfiler* mProfiler = nullptr;
};

template <typename T_CLOCK, typename T_DELAY>
constexpr uint8_t CoroutineTemplate<T_CLOCK, T_DELAY>::kStatusSuspended;
template <typename T_CLOCK, typename T_DELAY>
constexpr uint8_t CoroutineTemplate<T_CLOCK, T_DELAY>::kStatusYielding;
template <typename T_CLOCK, typename T_DELAY>
constexpr uint8_t CoroutineTemplate<T_CLOCK, T_DELAY>::kStatusDelaying;
template <typename T_CLOCK, typename T_DELAY>
constexpr uint8_t CoroutineTemplate<T_CLOCK, T_DELAY>::kStatusRunning;
template <typename T_CLOCK, typename T_DELAY>
constexpr uint8_t CoroutineTemplate<T_CLOCK, T_DELAY>::kStatusEnding;
template <typename T_CLOCK, typename T_DELAY>
constexpr uint8_t CoroutineTemplate<T_CLOCK, T_DELAY>::kStatusTerminated;
template <typename T_CLOCK, typename T_DELAY>
constexpr uint8_t CoroutineTemplate<T_CLOCK, T_DELAY>::kNameTypeCString;
template <typename T_CLOCK, typename T_DELAY>
constexpr uint8_t CoroutineTemplate<T_CLOCK, T_DELAY>::kNameTypeFString;
template <typename T_CLOCK, typename T_DELAY>
constexpr T_DELAY CoroutineTemplate<T_CLOCK, T_DELAY>::kMaxDelay;

/// The usual coroutine of a program: Arduino's clock, and delays of 16 bits.
using Coroutine = CoroutineTemplate<ClockInterface, uint16_t>;

}  // namespace ace_routine
