// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include <ace_routine/Coroutine.h>

/// Evaluates `value` once and keeps it in the channel, lets the others run, then goes on when a
/// reader has taken the value.
#define COROUTINE_CHANNEL_WRITE(channel, value) \
  do {                                          \
    (channel).setValue(value);                  \
    COROUTINE_AWAIT((channel).write());         \
  } while (0)

/// Lets the others run, then goes on when a value has come, and stores it in `variable`.
#define COROUTINE_CHANNEL_READ(channel, variable) COROUTINE_AWAIT((channel).read(variable))

namespace ace_routine {

/// A rendezvous between one writer and one reader, which both poll it: by COROUTINE_CHANNEL_WRITE
/// and COROUTINE_CHANNEL_READ, or by calls.
///
/// Shape    two values and a byte: the offered value, and the value on its way to the reader.
/// Context  the coroutines of one loop. Nothing is stored before the reader asks, and the writer
///          goes on only after its value was taken. Polled in turn, the two return false (read),
///          false (write), true (read), true (write).
/// Cost     half a message: compat/aceroutine/benchmarks, row Channels.
template <typename T>
class Channel {
 public:
  constexpr Channel() : mOffered(), mValue(), mState(kNobody) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Sets the value that `write()` offers. A value on its way to the reader stays the same.
  void setValue(const T& value) { mOffered = value; }

  /// Offers the value of `setValue()`. true: the reader has taken it.
  bool write() { return write(mOffered); }

  /// Offers a value, which is copied once the reader has asked for it. true: the reader has taken
  /// it.
  bool write(const T& value) {
    if (mState == kValueWasTaken) {
      mState = kNobody;
      return true;
    }
    if (mState == kReaderWaits) {
      mValue = value;
      mState = kValueIsThere;
    }
    return false;
  }

  /// Asks for a value. true: a value has come, and is stored in `value`.
  bool read(T& value) {
    switch (mState) {
      case kNobody:
        mState = kReaderWaits;
        return false;
      case kValueIsThere:
        mState = kValueWasTaken;
        value = mValue;
        return true;
      default:
        return false;
    }
  }

 private:
  enum State : uint8_t { kNobody, kReaderWaits, kValueIsThere, kValueWasTaken };

  T mOffered;
  T mValue;
  State mState;
};

}  // namespace ace_routine
