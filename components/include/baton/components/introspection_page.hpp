// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/http_server.hpp>
#include <baton/components/introspection.hpp>
#include <baton/components/program_page.hpp>
#include <baton/service/dependency.hpp>
#include <charconv>

namespace baton::BATON_VARIANT::components {

/// Shows the workers of a program by HTTP: a page for people at a path, and the same report as JSON
/// at that path and ".json".
///
///     app.add<introspection>();
///     app.add<introspection_page>();   // http://localhost:8080/introspection
///
/// Shape    the page is one text, and refers to nothing outside it. With "?refresh=2" the browser
///          reads it again every two seconds.
class introspection_page {
 public:
  introspection_page(service::required<http_server> s, service::required<introspection> i, service::context here,
                     const std::string& path = "/introspection")
      : page_(s->route(here, "GET", path, [i](const http_request& r) { return show(*i, refresh_of(r)); })),
        json_(s->route(here, "GET", path + ".json", [i](const http_request&) { return tell(*i); })) {}

 private:
  static uint32_t refresh_of(const http_request& r) {
    constexpr std::string_view name = "refresh=";
    const std::string_view query = r.query();
    uint16_t seconds = 0;
    if (query.starts_with(name)) std::from_chars(query.data() + name.size(), query.data() + query.size(), seconds);
    return seconds;
  }
  static async::task<http_response> show(const introspection& of, uint32_t refresh_s) {
    http_response r(200, program_page(co_await of.whole(), refresh_s), "text/html; charset=utf-8");
    // Names come from the program. Even if a name slipped through the escaping, the browser would
    // run and load nothing.
    r.headers.push_back({"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"});
    r.headers.push_back({"Cache-Control", "no-store"});
    co_return r;
  }
  static async::task<http_response> tell(const introspection& of) {
    http_response r(200, (co_await of.whole()).json(), "application/json");
    r.headers.push_back({"Cache-Control", "no-store"});
    co_return r;
  }

  http_route page_;
  http_route json_;
};

}  // namespace baton::BATON_VARIANT::components
