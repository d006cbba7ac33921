// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/http_server.hpp>
#include <baton/components/metrics.hpp>
#include <baton/service/dependency.hpp>

namespace baton::BATON_VARIANT::components {

/// Serves the text of the metrics at a path of the HTTP server, for a monitoring system that polls
/// it.
///
///     app.add<metrics_page>();
class metrics_page {
 public:
  metrics_page(service::required<http_server> s, service::required<metrics> m, service::context here,
               std::string path = "/metrics")
      : text_(s->route(here, "GET", std::move(path), [m](const http_request&) { return answer(*m); })) {}

 private:
  static async::task<http_response> answer(const metrics& of) {
    co_return http_response(200, of.text(), "text/plain; version=0.0.4; charset=utf-8");
  }

  http_route text_;
};

}  // namespace baton::BATON_VARIANT::components
