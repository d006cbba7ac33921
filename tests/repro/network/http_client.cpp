// SPDX-License-Identifier: MIT
// An HTTP client sends line ends of its caller's data as they are, and takes an interim answer for
// the answer. The argument chooses the case.
// Issue: Services and network.
#include <baton/components/beast_http_client.hpp>
#include <thread>

#include "reproduction.hpp"

using namespace baton::components;

namespace {

/// Listens, and answers one request with a text.
class answerer {
 public:
  explicit answerer(std::string_view answer) : door_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in at = loopback(0);
    socklen_t bytes = sizeof at;
    ::bind(door_, reinterpret_cast<sockaddr*>(&at), bytes);
    ::listen(door_, 1);
    ::getsockname(door_, reinterpret_cast<sockaddr*>(&at), &bytes);
    port_ = ntohs(at.sin_port);
    thread_ = std::jthread([this, answer] {
      const peer client(::accept(door_, nullptr, nullptr));
      request = client.read("\r\n\r\n");
      client.send(answer);
    });
  }
  uint16_t port() const { return port_; }
  /// Waits for the request, or for the end of a client that sends none.
  void join() {
    ::shutdown(door_, SHUT_RDWR);
    thread_.join();
    ::close(door_);
  }

  std::string request;

 private:
  int door_;
  uint16_t port_ = 0;
  std::jthread thread_;
};

/// Keeps the client's reply to a request, or the exception's text.
struct asker {
  asker(required<http_client> c, context here, const tcp_place& to, const http_request& r, std::string* got) {
    here.spawn(ask(c, here, to, r, got));
  }
  static async::task<> ask(required<http_client> c, context here, tcp_place to, http_request r, std::string* got) {
    try {
      const http_reply reply = co_await c->send(to, std::move(r));
      *got = std::to_string(reply.response.status) + " " + reply.response.body;
    } catch (const std::exception& e) {
      *got = e.what();
    }
    here.quit();
  }
};

}  // namespace

int main(int, char** arguments) {
  const std::string_view wanted = arguments[1];
  http_request r("GET", "/");
  std::string_view answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  if (wanted == "target") r = http_request("GET", "/x HTTP/1.1\r\nHost: h\r\n\r\nDELETE /evil");
  if (wanted == "header") r.headers.push_back({"X", "1\r\nX-Admin: yes"});
  if (wanted == "interim") answer = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  answerer server(answer);
  std::string got;
  application app;
  app.add<beast_http_client, http_client>();
  app.add<asker>(tcp_place(server.port()), r, &got);
  baton::asio::poller io;
  expect(app.run(io) == 0, "the program ends well");
  server.join();
  if (wanted == "target")
    expect(server.request.find("/x HTTP/1.1\r\n") == std::string::npos, "a target has no line end");
  if (wanted == "header")
    expect(server.request.find("X-Admin: yes\r\n") == std::string::npos, "a header's value has no line end");
  if (wanted == "interim") expect(got == "200 ok", "an interim answer is not the answer");
  return outcome_of_expectations();
}
