// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/task.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::BATON_VARIANT::components {

struct http_header {
  std::string name;
  std::string value;
};

/// The first header of this name, which is compared without regard to case; null if there is none.
inline const std::string* find_header(const std::vector<http_header>& in, std::string_view name) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
  for (const http_header& h : in) {
    bool is_same = h.name.size() == name.size();
    for (size_t i = 0; is_same && i != name.size(); ++i) is_same = lower(h.name[i]) == lower(name[i]);
    if (is_same) return &h.value;
  }
  return nullptr;
}

/// The text of a part of a target, whose bytes may be written as "%20"; empty if it is malformed.
///
/// Context  a decoded path may hold "/" and "..", and any byte: compare it, and do not open it.
/// Source   RFC 3986, 2.1.
std::string percent_decoded(std::string_view text);

/// A client's request. The target is as it was sent: nothing in it is decoded. An absolute target
/// ("http://example.org/a") has become its path, and its host the header `Host`.
struct http_request {
  explicit http_request(std::string m = "GET", std::string t = "/", std::string b = {})
      : method(std::move(m)), target(std::move(t)), body(std::move(b)) {}

  std::string_view path() const noexcept { return view().substr(0, view().find('?')); }
  /// The part of the target behind the first question mark.
  std::string_view query() const noexcept {
    const size_t at = view().find('?');
    return at == std::string_view::npos ? std::string_view() : view().substr(at + 1);
  }
  const std::string* header(std::string_view name) const noexcept { return find_header(headers, name); }

  std::string method;
  std::string target;
  /// The part of the path that stands for `{name}` of the route's path; null if there is none.
  const std::string* parameter(std::string_view name) const noexcept { return find_header(parameters, name); }

  std::string body;
  std::vector<http_header> headers;
  std::vector<http_header> parameters;

 private:
  std::string_view view() const noexcept { return target; }
};

/// The body of a response that is sent piece by piece. The server passes it to `streamer`.
class http_stream {
 public:
  http_stream(const http_stream&) = delete;
  http_stream& operator=(const http_stream&) = delete;
  virtual ~http_stream() = default;

  /// Waits until the system has accepted the piece.
  ///
  /// Context  later writes wait for earlier ones. `cancelled`: the piece may be sent all the same.
  /// Errors   `closed`: the client has gone, did not take a piece in `writing_time`, or wants no
  ///          body. `cancelled`, by a stop.
  virtual async::task<status> write(std::string_view piece) = 0;

 protected:
  http_stream() = default;
};

/// A coroutine that writes a body. If it throws, the connection ends within the body, so that the
/// client knows.
using http_streamer = std::function<async::task<>(http_stream&)>;

/// A server's response. The server itself adds the headers for its length, its connection, and the
/// date. With a `stream` the body is what the stream writes, and `body` is not sent.
///
/// Errors   the client gets 500 instead if the status is not 200 to 599, if a 204 or 304 has a
///          body, if a header's name is invalid or a value has a control character, or if
///          `headers` has Content-Length, Transfer-Encoding, Connection or Date.
struct http_response {
  explicit http_response(uint16_t s = 200, std::string b = {}, std::string t = "text/plain; charset=utf-8")
      : status(s), body(std::move(b)), type(std::move(t)) {}

  const std::string* header(std::string_view name) const noexcept { return find_header(headers, name); }

  uint16_t status;
  std::string body;
  std::string type;  ///< Content-Type
  std::vector<http_header> headers;
  http_streamer stream;
};

}  // namespace baton::BATON_VARIANT::components
