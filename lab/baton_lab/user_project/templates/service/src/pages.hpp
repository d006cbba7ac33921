#pragma once

#include <baton/components/http_server.hpp>
#include <baton/service.hpp>

#include "greeting.hpp"
#include "visits.hpp"

/// A service that answers GET / and GET /health. It exists while the server and the visits do.
struct pages {
  using http_server = baton::components::http_server;
  using http_response = baton::components::http_response;
  using http_request = baton::components::http_request;

  pages(baton::service::required<http_server> server, baton::service::required<visits> seen,
        baton::service::context here)
      : seen_(seen),
        home_(server->route(here, "GET", "/", [this](http_request) { return home(); })),
        health_(server->route(here, "GET", "/health", [](http_request) { return health(); })) {}

 private:
  baton::async::task<http_response> home() {
    seen_->add();
    co_return http_response(200, greeting(seen_->count()));
  }
  static baton::async::task<http_response> health() { co_return http_response(200, "ok\n"); }

  baton::service::required<visits> seen_;
  baton::components::http_route home_, health_;  // each answers as long as it lives
};
