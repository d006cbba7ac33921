// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// A reader of HTTP/1 that takes only what the RFCs allow: a fuzzer compares the server with it.
/// Source   RFC 9110, 5, 7.2; RFC 9112, 2 to 7, 9.
namespace http_fuzz {

/// A request. An absolute target has become its path, and its host the request's.
struct strict_request {
  std::string method, target, host, body;
};

/// The requests of a text, up to the first one that is not sound or not complete, or that is the
/// last of its connection.
std::vector<strict_request> requests_of(std::string_view text);

/// An answer of a server.
struct strict_answer {
  int code = 0;
  bool is_last = false;  ///< it says "Connection: close"
  std::string body;
};

/// The answers in what a server sent for these requests, interim ones left out. Empty `fault`: the
/// text consists of whole answers.
struct strict_answers {
  std::vector<strict_answer> all;
  std::string fault;
};
strict_answers answers_of(std::string_view text, const std::vector<strict_request>& to);

}  // namespace http_fuzz
