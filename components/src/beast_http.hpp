// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/http_message.hpp>
#include <boost/beast/http.hpp>

/// Conversions to and from the messages of Boost.Beast.
namespace baton::BATON_VARIANT::components::detail {

namespace http = boost::beast::http;

template <typename Fields>
std::vector<http_header> headers_from(const Fields& fields) {
  std::vector<http_header> all;
  for (const auto& f : fields) all.push_back({std::string(f.name_string()), std::string(f.value())});
  return all;
}

/// Converts the head of a response.
inline http_response from_beast(const http::response<http::string_body>& r) {
  http_response to(static_cast<uint16_t>(r.result_int()), {}, std::string(r[http::field::content_type]));
  to.headers = headers_from(r);
  return to;
}

/// Converts a response, except for its body.
template <typename Body>
http::response<Body> to_beast(const http_response& r, bool keeps) {
  http::response<Body> to;
  to.version(11);
  to.result(r.status);
  for (const http_header& h : r.headers) to.insert(h.name, h.value);
  if (!r.type.empty() && !(r.status == 204 || r.status == 304)) to.set(http::field::content_type, r.type);
  to.keep_alive(keeps);
  return to;
}

}  // namespace baton::BATON_VARIANT::components::detail
