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
  all.reserve(8);  // as many as most requests have
  for (const auto& f : fields) {
    http_header& one = all.emplace_back();
    one.name.assign(f.name_string().data(), f.name_string().size());
    one.value.assign(f.value().data(), f.value().size());
  }
  return all;
}

/// Converts the head of a response.
inline http_response from_beast(const http::response<http::string_body>& r) {
  http_response to(static_cast<uint16_t>(r.result_int()), {}, std::string(r[http::field::content_type]));
  to.headers = headers_from(r);
  return to;
}

}  // namespace baton::BATON_VARIANT::components::detail
