// SPDX-License-Identifier: MIT
#include <baton/components/asio_tcp_client.hpp>
#include <baton/components/asio_tcp_server.hpp>
#include <baton/components/beast_http_client.hpp>
#include <baton/components/beast_http_server.hpp>
#include <baton/components/beast_websocket_client.hpp>
#include <baton/components/beast_websocket_server.hpp>
#include <baton/components/http_body.hpp>
#include <string>

#include "peer.hpp"
#include "trial.hpp"

/// Servers, asked by a program that has nothing of Baton, and clients that ask such servers.
namespace want_of_memory {
namespace {

using namespace baton::components;
using baton::milliseconds;
using baton::seconds;
using baton::status;

constexpr int attempts = 4;

/// ---- Servers ----

/// A server's handler: sends back what comes.
async::task<> echo(tcp_connection& with) {
  char some[256];
  for (;;) {
    const tcp_result got = co_await with.read_some(some);
    if (!got) co_return;
    const tcp_result sent = co_await with.write({some, got.bytes});
    if (!sent) co_return;
  }
}

async::task<> repeat(websocket& to) {
  for (;;) {
    const websocket_message m = co_await to.receive();
    if (!m) co_return;
    const status sent = co_await to.send_text(m.data);
    if (sent != status::ok) co_return;
  }
}

/// Plays a client that makes connections one after the other. Each of them ends in time.
template <typename Talk>
void play_client(trial& t, uint16_t port, Talk talk) {
  play(t, [&t, port, talk] {
    for (int i = 0; i != attempts; ++i) {
      peer p(port);
      t.note(p.is_connected() && talk(p));
      t.expect(!p.has_waited(), "a connection hangs");
    }
  });
}

void accept(application& app, trial& t) {
  struct client : counted {
    client(required<tcp_server> s, trial* of) : counted(*of) {
      play_client(*of, s->port(), [](peer& p) {
        p.send("a text that is sent back\n");
        return p.read("\n") == "a text that is sent back\n";
      });
    }
  };
  app.add<asio_tcp_server, tcp_server>(tcp_handler(echo), tcp_place());
  app.add<client>(&t);
}

struct pages : counted {
  using answer = async::task<http_response>;
  pages(required<http_server> s, context here, trial* of)
      : counted(*of),
        get(s->route(here, "GET", "/items/{id}", one)),
        post(s->route(here, "POST", "/", sent)),
        socket(s->websocket(here, "/socket", repeat)) {}

  static answer one(http_request r) {
    co_return http_response(200, "the text of the item with the number " + std::string(*r.parameter("id")));
  }
  static answer sent(http_request r) { co_return http_response(200, r.body); }

  http_route get, post;
  websocket_route socket;
};

void request(application& app, trial& t) {
  struct client : counted {
    client(required<http_server> s, required<pages>, trial* of) : counted(*of) {
      play_client(*of, s->port(), [](peer& p) {
        p.send("GET /items/a-name-longer-than-a-string-holds HTTP/1.1\r\nHost: localhost\r\n\r\n");
        const std::string got = p.read("\r\n\r\n");
        if (got.find(" 200 ") == std::string::npos) return false;
        if (got.find("holds") == std::string::npos) p.read("holds");
        p.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
        return p.read("hello").find(" 200 ") != std::string::npos;
      });
    }
  };
  app.add<beast_http_server, http_server>();
  app.add<pages>(&t);
  app.add<client>(&t);
}

struct reader : counted {
  reader(required<http_server> s, context here, trial* of)
      : counted(*of), route(s->route(here, "POST", "/", streamed_body(count))) {}

  static async::task<http_response> count(http_request, http_body& body) {
    size_t bytes = 0;
    while (const http_piece p = co_await body.read()) bytes += p.bytes.size();
    co_return http_response(body.is_whole() ? 200 : 400, std::to_string(bytes) + " bytes");
  }

  http_route route;
};

/// Sends a body that the server reads in pieces.
void pieces(application& app, trial& t) {
  struct client : counted {
    client(required<http_server> s, required<reader>, trial* of) : counted(*of) {
      play_client(*of, s->port(), [](peer& p) {
        p.send("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
        if (p.read("\r\n\r\n").find(" 100 ") == std::string::npos) return false;
        p.send("20\r\na text longer than a string hold\r\n");
        p.send("1\r\ns\r\n0\r\n\r\n");
        std::string got = p.read("\r\n\r\n");
        if (got.find(" 200 ") == std::string::npos) return false;
        if (got.find("bytes") == std::string::npos) got += p.read("bytes");
        return got.find("33 bytes") != std::string::npos;
      });
    }
  };
  app.add<beast_http_server, http_server>();
  app.add<reader>(&t);
  app.add<client>(&t);
}

/// A peer answers no close that it does not expect, so it is left before its own limit.
baton::duration closing_time() {
  return milliseconds(500);
}

/// Opens a WebSocket, sends a text that comes back, and closes it.
bool talk_by_websocket(peer& p) {
  p.send(
      "GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
  if (p.read("\r\n\r\n").find(" 101 ") == std::string::npos) return false;
  // Masked by zeros.
  p.send(std::string_view("\x81\x8f\0\0\0\0a text of bytes", 21));
  if (p.read("bytes").find("a text of bytes") == std::string::npos) return false;
  p.send(std::string_view("\x88\x82\0\0\0\0\x03\xe8", 8));
  return p.read("\x03\xe8").find('\x88') != std::string::npos;
}

void upgrade(application& app, trial& t) {
  struct client : counted {
    client(required<http_server> s, required<pages>, trial* of) : counted(*of) {
      play_client(*of, s->port(), &talk_by_websocket);
    }
  };
  http_limits l;
  l.websocket.closing_time = closing_time();
  app.add<beast_http_server, http_server>(tcp_place(), l);
  app.add<pages>(&t);
  app.add<client>(&t);
}

struct parrot : counted {
  parrot(required<websocket_server> s, context here, trial* of)
      : counted(*of), path(s->route(here, "/socket", repeat)) {}
  websocket_route path;
};

void message(application& app, trial& t) {
  struct client : counted {
    client(required<websocket_server> s, required<parrot>, trial* of) : counted(*of) {
      play_client(*of, s->port(), &talk_by_websocket);
    }
  };
  websocket_server_limits l;
  l.each.closing_time = closing_time();
  app.add<beast_websocket_server, websocket_server>(tcp_place(), l);
  app.add<parrot>(&t);
  app.add<client>(&t);
}

/// ---- Clients, which talk to servers of the same program ----

/// Attempts a task several times, and ends the program.
template <typename Attempt>
async::task<> attempt_all(context here, trial* t, Attempt attempt) {
  t->begin_work();
  for (int i = 0; i != attempts; ++i) {
    bool is_well = false;
    try {
      async::task<bool> one = attempt();
      if (one.has_frame()) is_well = co_await std::move(one);
    } catch (const std::bad_alloc&) {
    }
    t->note(is_well);
  }
  t->end_work();
  here.quit();
}

async::task<bool> ask(http_client& by, uint16_t port) {
  const http_reply got = co_await by.post(tcp_place(port), "/", "a text that is sent back");
  co_return got&& got.response.body == "a text that is sent back";
}
void http_call(application& app, trial& t) {
  struct client : counted {
    client(required<http_server> s, required<http_client> by, required<pages>, context here, trial* of) : counted(*of) {
      here.spawn(attempt_all(here, of, [by, port = s->port()] { return ask(*by, port); }));
    }
  };
  app.add<beast_http_server, http_server>();
  app.add<beast_http_client, http_client>();
  app.add<pages>(&t);
  app.add<client>(&t);
}

async::task<bool> talk(websocket_client& by, uint16_t port) {
  websocket_opened to = co_await by.connect(tcp_place(port), "/socket");
  if (!to) co_return false;
  const status sent = co_await to.connection->send_text("a text that is sent back");
  if (sent != status::ok) co_return false;
  const websocket_message got = co_await to.connection->receive(seconds(5));
  const status closed = co_await to.connection->close();
  co_return closed == status::ok&& got&& got.data == "a text that is sent back";
}
void websocket_call(application& app, trial& t) {
  struct client : counted {
    client(required<websocket_server> s, required<websocket_client> by, required<parrot>, context here, trial* of)
        : counted(*of) {
      here.spawn(attempt_all(here, of, [by, port = s->port()] { return talk(*by, port); }));
    }
  };
  app.add<beast_websocket_server, websocket_server>();
  app.add<beast_websocket_client, websocket_client>();
  app.add<parrot>(&t);
  app.add<client>(&t);
}

async::task<bool> send_and_read(tcp_client& by, uint16_t port) {
  tcp_opened to = co_await by.connect(tcp_place(port));
  if (!to) co_return false;
  const tcp_result sent = co_await to.connection->write("a text that is sent back");
  if (!sent) co_return false;
  char all[24];
  const tcp_result got = co_await to.connection->read(all);
  co_return got&& std::string_view(all, 24) == "a text that is sent back";
}
void tcp_call(application& app, trial& t) {
  struct client : counted {
    client(required<tcp_server> s, required<tcp_client> by, context here, trial* of) : counted(*of) {
      here.spawn(attempt_all(here, of, [by, port = s->port()] { return send_and_read(*by, port); }));
    }
  };
  app.add<asio_tcp_server, tcp_server>(tcp_handler(echo), tcp_place());
  app.add<asio_tcp_client, tcp_client>();
  app.add<client>(&t);
}

constexpr scenario scenarios[] = {
    {"accept", accept},   {"request", request},   {"pieces", pieces},       {"upgrade", upgrade},
    {"message", message}, {"tcp_call", tcp_call}, {"http_call", http_call}, {"websocket_call", websocket_call},
};

}  // namespace

std::span<const scenario> network_scenarios() {
  return scenarios;
}

}  // namespace want_of_memory
