// SPDX-License-Identifier: MIT
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../fuzz/inflater.hpp"

/// WebSocket's bytes as the tests of the cases write and read them. It shares no code with the
/// server and the client.
/// Source   RFC 6455, 4 and 5; RFC 7692, 7.
namespace websocket_cases {

/// The limits that one side keeps to when it compresses.
struct deflation {
  bool keeps_context = true;  ///< a message refers to those before it
  int window_bits = 15;
};

/// The agreement of the two sides about compression.
struct agreement {
  bool compresses = false;
  deflation of_client, of_server;
};

/// Reads the extension header of a server's answer; empty: no compression.
agreement agreement_in(std::string_view extensions);

/// Compresses messages by zlib.
class deflater {
 public:
  explicit deflater(const deflation& how);
  deflater(const deflater&) = delete;
  deflater& operator=(const deflater&) = delete;
  ~deflater() { deflateEnd(&stream_); }

  std::string message(std::string_view data);

 private:
  const deflation how_;
  z_stream stream_ = {};
};

/// Reads the frames of the side that is tested, and holds them to the RFCs.
class wire_reader {
 public:
  /// `is_masked`: the frames are a client's.
  wire_reader(bool is_masked, const agreement& a);

  void add(std::string_view bytes);

  /// Messages, pings and pongs in their order: a letter of "tbio", and the payload.
  std::vector<std::string> answers;
  uint16_t code = 0;  ///< of the close; 1005: it has none; 0: there is no close
  std::string fault;  ///< what the side has done wrong

 private:
  bool take_frame();
  void take(unsigned first, const std::string& payload);
  void take_close(const std::string& payload);
  void take_part(unsigned first, const std::string& payload);
  void blame(const char* why);

  const bool is_masked_;
  const bool compresses_;
  const deflation how_;
  http_fuzz::inflater inflater_;
  std::string waiting_;
  size_t at_ = 0;
  bool is_in_message_ = false;
  bool is_deflated_ = false;
  std::string message_;  // its letter, and its payload so far
};

/// A frame as a client sends it, or as a server does.
std::string encoded(unsigned first, const std::string& payload, bool is_masked);

/// A server's answer to an opening request, with further headers.
std::string opening_answer(const std::string& request, const std::string& more);

/// The value of a header in a head; empty: there is none.
std::string header_in(const std::string& head, std::string_view name);

}  // namespace websocket_cases
