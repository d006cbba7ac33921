// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <cstdint>
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

/// A client's request. The target is as it was sent: nothing in it is decoded.
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
  std::string body;
  std::vector<http_header> headers;

 private:
  std::string_view view() const noexcept { return target; }
};

/// A server's response. The server itself adds the headers for its length and its connection.
///
/// Errors   the client gets 500 instead if the status is not 200 to 599, if a 204 or 304 has a
///          body, if a header's name is invalid or a value has a control character, or if
///          `headers` has Content-Length, Transfer-Encoding or Connection.
struct http_response {
  explicit http_response(uint16_t s = 200, std::string b = {}, std::string t = "text/plain; charset=utf-8")
      : status(s), body(std::move(b)), type(std::move(t)) {}

  const std::string* header(std::string_view name) const noexcept { return find_header(headers, name); }

  uint16_t status;
  std::string body;
  std::string type;  ///< Content-Type
  std::vector<http_header> headers;
};

}  // namespace baton::BATON_VARIANT::components
