// SPDX-License-Identifier: MIT
// A server in a worker that is not the main one ends the program by a requirement, which names
// neither.
// Issue: Services and network.
#include <baton/components/asio_tcp_server.hpp>

#include "reproduction.hpp"

using namespace baton::components;

int main() {
  application app;
  const context other = app.add_worker("other");
  other.add<asio_tcp_server, tcp_server>(tcp_handler([](tcp_connection&) -> async::task<> { co_return; }));
  app.main().run([](context here) -> async::task<> {
    static_cast<void>(co_await async::sleep_for(milliseconds(100)));
    here.quit();
  }(app.main()));
  baton::asio::poller io;
  return app.run(io);
}
