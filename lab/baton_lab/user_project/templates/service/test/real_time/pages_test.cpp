#include "../../src/pages.hpp"

#include <baton/asio/poller.hpp>
#include <baton/components/beast_http_client.hpp>
#include <baton/components/beast_http_server.hpp>

#include "../check.hpp"

using namespace baton::service;
using namespace baton::components;

/// Reads the pages as a browser does, at a port that the system has chosen.
struct browser {
  browser(required<http_client> client, required<http_server> server, required<pages>, context here) {
    here.spawn(read(client, tcp_place(server->port()), here));
  }

  static baton::async::task<> read(required<http_client> client, tcp_place there, context here) {
    const http_reply health = co_await client->get(there, "/health");
    CHECK(health.response.status == 200);
    CHECK(health.response.body == "ok\n");
    const http_reply first = co_await client->get(there, "/");
    CHECK(first.response.body == greeting(1));
    const http_reply second = co_await client->get(there, "/");
    CHECK(second.response.body == greeting(2));
    const http_reply none = co_await client->get(there, "/none");
    CHECK(none.response.status == 404);
    here.quit();
  }
};

int main() {
  application app;
  app.add<beast_http_server, http_server>();
  app.add<beast_http_client, http_client>();
  app.add<visits>();
  app.add<pages>();
  app.add<browser>();
  baton::asio::poller io;
  const int code = app.run(io);
  CHECK(code == 0);
  return check::failures ? 1 : 0;
}
