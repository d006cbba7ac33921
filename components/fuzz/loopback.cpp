// SPDX-License-Identifier: MIT
#include "loopback.hpp"

#include <baton/asio/poller.hpp>
#include <baton/components/beast_http_server.hpp>
#include <future>
#include <thread>

namespace http_fuzz {

namespace {

/// Tells the port of a server that has started.
struct herald {
  herald(service::required<components::http_server> s, std::promise<uint16_t>& to) { to.set_value(s->port()); }
};

void run(const components::http_limits& limits, const std::function<void(service::application&)>& add,
         std::promise<uint16_t> port) {
  service::options o;
  o.ends_at_signals = false;
  service::application app(o);
  const auto io = std::make_shared<baton::asio::poller>();
  app.add<components::beast_http_server, components::http_server>(components::tcp_place(), limits);
  add(app);
  app.add<herald>(std::ref(port));
  app.run(*io);
}

}  // namespace

uint16_t serve(const components::http_limits& limits, std::function<void(service::application&)> add) {
  std::promise<uint16_t> port;
  std::future<uint16_t> told = port.get_future();
  std::thread([limits, add = std::move(add), port = std::move(port)]() mutable {
    run(limits, add, std::move(port));
  }).detach();
  return told.get();
}

}  // namespace http_fuzz
