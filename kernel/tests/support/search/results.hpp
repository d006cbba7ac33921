// SPDX-License-Identifier: MIT
#pragma once

#include <search/snapshot.hpp>

namespace baton {
namespace test {
namespace search {

/// The bytes that a task sends.
inline const unsigned char* message_of(int task) {
  static const unsigned char bytes[most_tasks][room] = {{10, 11, 12, 13, 14, 15, 16, 17},
                                                        {20, 21, 22, 23, 24, 25, 26, 27},
                                                        {30, 31, 32, 33, 34, 35, 36, 37},
                                                        {40, 41, 42, 43, 44, 45, 46, 47}};
  return bytes[task];
}

/// The outcomes of the calls that have ended: a bit for each error, and a hash of the bytes copied.
struct outcomes {
  uint32_t errors = 0;
  uint64_t copied = 0;
};

/// Compares the results of the calls that have ended. The kernel writes to a task's request and
/// buffer only when it ends a call: so a wait ends once, and nothing is written for a task that has
/// ended.
class results {
 public:
  results(snapshot& s, outcomes& seen) : s_(s), seen_(seen) {}

  const char* difference() {
    for (int t = 0; t < s_.expected.size(); ++t) {
      const bool has_ended = s_.expected.at(t).what == kernel::state::ready && s_.expected.at(t).has_called;
      if (const char* what = has_ended ? difference_of_result(t) : difference_of_request(t)) return what;
      if (has_ended || s_.expected.at(t).what == kernel::state::free) forget(t);
    }
    return nullptr;
  }

 private:
  const char* difference_of_request(int t) const {
    if (memcmp(&s_.requests[t], &s_.begun[t], sizeof s_.begun[t]) != 0) return "the request of a task that waits";
    return difference_of_buffer(t, "the buffer of a task that waits");
  }

  /// A task can end in the call that has given it a message: its stack was found overwritten.
  const char* difference_of_buffer(int t, const char* what) const {
    const bool has_just_ended = s_.expected.overflown == t;
    const reference::slot& r = has_just_ended ? s_.expected.ended : s_.expected.at(t);
    const bool has_message = r.what == kernel::state::ready && r.has_called && r.has_message;
    const kernel::word bytes = has_message ? r.message_bytes : 0;
    if (bytes > room) return "a message beyond its buffer";
    if (bytes != 0 && memcmp(s_.in[t], reinterpret_cast<const void*>(r.message), bytes) != 0)
      return "a message's bytes";
    return is_unwritten(t, bytes) ? nullptr : what;
  }

  const char* difference_of_result(int t) {
    const reference::slot& r = s_.expected.at(t);
    const kernel::request& q = s_.requests[t];
    const uint8_t error = static_cast<uint8_t>(kernel::ipc_result(r.first).why());
    if (error < kernel::errors) seen_.errors |= 1u << error;
    if (r.has_message)
      seen_.copied = (seen_.copied * most_tasks + static_cast<uint64_t>(t)) * 0x10001 + r.message_bytes;
    if (q.first != r.first) return "what a call gave";
    if (r.has_second && q.second != r.second) return "what a call gave beside it";
    if (r.has_sender && q.out_length != r.sender) return "whose message a call gave";
    return difference_of_buffer(t, "a byte behind a message");
  }

  bool is_unwritten(int t, kernel::word from) const {
    for (kernel::word i = from; i < room; ++i) {
      if (s_.in[t][i] != unwritten) return false;
    }
    return true;
  }

  /// Lets go of what belongs to a call that has ended.
  void forget(int t) {
    if (s_.expected.overflown == t) s_.expected.overflown = reference::nobody;
    reference::slot& r = s_.expected.at(t);
    r.has_called = r.is_counted = r.has_second = r.has_sender = r.has_message = false;
    memset(&s_.requests[t], unwritten, sizeof s_.requests[t]);
    memset(&s_.begun[t], unwritten, sizeof s_.begun[t]);
    memset(s_.in[t], unwritten, room);
  }

  snapshot& s_;
  outcomes& seen_;
};

}  // namespace search
}  // namespace test
}  // namespace baton
