// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace ace_routine {

/// A rendezvous between one writer and one reader, which both poll: COROUTINE_CHANNEL_WRITE and COROUTINE_CHANNEL_READ, or by hand.
///
/// Shape    a value and a byte.
/// Context  the coroutines of one loop. Nothing is stored for a reader that has not asked, and a writer goes on only after its value was
///          taken. Polled in turn, the two return false (read), false (write), true (read), true (write).
/// Cost     a message: bench/suites/channel.cpp, case compat_message.
template <typename T>
class Channel {
 public:
  constexpr Channel() : mValue(), mState(kNobody) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// What `write()` offers.
  void setValue(const T& value) { mValue = value; }

  /// Offers the value of `setValue`. true: the reader has taken it.
  bool write() {
    if (mState == kReaderWaits) mState = kValueIsThere;
    return takenNotice_();
  }

  /// Offers a value, which is copied when the reader has asked for it. true: the reader has taken it.
  bool write(const T& value) {
    if (mState == kReaderWaits) {
      mValue = value;
      mState = kValueIsThere;
    }
    return takenNotice_();
  }

  /// Asks for a value. true: one has come, and `value` is it.
  bool read(T& value) {
    if (mState == kNobody) mState = kReaderWaits;
    if (mState != kValueIsThere) return false;
    value = mValue;
    mState = kValueWasTaken;
    return true;
  }

 private:
  enum State : uint8_t { kNobody, kReaderWaits, kValueIsThere, kValueWasTaken };

  bool takenNotice_() {
    if (mState != kValueWasTaken) return false;
    mState = kNobody;
    return true;
  }

  T mValue;
  State mState;
};

}  // namespace ace_routine
