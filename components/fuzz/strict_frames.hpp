// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// A reader of WebSocket's frames that takes only what the RFCs allow: a fuzzer compares the server
/// with it.
/// Source   RFC 6455, 5 to 8; RFC 7692, 7.
namespace http_fuzz {

/// The side whose frames are read, and what was agreed about them.
struct frame_rules {
  bool is_client = true;  ///< its frames are masked
  bool is_compressed = false;
  bool keeps_context = true;     ///< a message is compressed with the one before it as a dictionary
  size_t most_bytes = SIZE_MAX;  ///< of a message
};

struct strict_payload {
  bool is_text = false;
  std::string data;

  bool operator==(const strict_payload&) const = default;
};

/// The frames of one side, up to the first one that is not sound, or to its close.
struct strict_frames {
  std::vector<strict_payload> messages;
  std::vector<std::string> pings, pongs;
  /// The codes with which the other side may close the connection; 1005: a close without a code.
  /// Empty: it need not close it.
  std::vector<uint16_t> answers;
  bool is_closed = false;
  uint16_t code = 0;      ///< of this side's close; 1005: it has none
  bool is_cut = false;    ///< the rest is not complete, so the other side may already refuse it
  bool has_rest = false;  ///< bytes follow the close
};
strict_frames frames_of(std::string_view text, const frame_rules& rules);

}  // namespace http_fuzz
