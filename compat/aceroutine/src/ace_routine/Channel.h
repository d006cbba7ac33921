// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

namespace ace_routine {

/// A rendezvous between one writer and one reader, which both poll it: by COROUTINE_CHANNEL_WRITE
/// and COROUTINE_CHANNEL_READ, or by calls.
///
/// Shape    a value and a byte.
/// Context  the coroutines of one loop. Nothing is stored before the reader asks, and the writer
///          goes on only after its value was taken. Polled in turn, the two return false (read),
///          false (write), true (read), true (write).
/// Cost     half a message: compat/aceroutine/benchmarks, row Channels.
template <typename T>
class Channel {
 public:
  constexpr Channel() : mValue(), mState(kNobody) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Sets the value that `write()` offers.
  void setValue(const T& value) { mValue = value; }

  /// Offers the value of `setValue`. true: the reader has taken it.
  bool write() {
    if (mState == kReaderWaits) mState = kValueIsThere;
    return takenNotice_();
  }

  /// Offers a value, which is copied once the reader has asked for it. true: the reader has taken
  /// it.
  bool write(const T& value) {
    if (mState == kReaderWaits) {
      mValue = value;
      mState = kValueIsThere;
    }
    return takenNotice_();
  }

  /// Asks for a value. true: a value has come, and is stored in `value`.
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
