// SPDX-License-Identifier: MIT
//
// Plays each case against the server and against the client.
#include "websocket_cases.hpp"

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "websocket_support.hpp"
#include "websocket_tester.hpp"

using namespace network_test;
using namespace websocket_cases;

namespace {

/// Sends back each message.
async::task<> repeat(websocket& to) {
  while (const websocket_message m = co_await to.receive()) {
    static_cast<void>(m.is_text ? co_await to.send_text(m.data) : co_await to.send_binary(m.data));
  }
}

struct parrot {
  parrot(required<websocket_server> s, context here) : path(s->route(here, "/", repeat)) {}
  websocket_route path;
};

std::string header_of(const std::string& extensions) {
  return extensions.empty() ? "" : "Sec-WebSocket-Extensions: " + extensions + "\r\n";
}

async::task<std::string> head_from(tcp_connection& c) {
  std::string head;
  char one = 0;
  while (!head.ends_with("\r\n\r\n")) {
    const tcp_result got = co_await c.read_some({&one, 1});
    if (!got) break;
    head += one;
  }
  co_return head;
}

/// A connection to the server, behind its answer.
struct opened {
  tcp_opened to;
  std::string answer, extensions;
};
async::task<opened> open(tcp_client& by, uint16_t port, std::string offer) {
  opened all;
  all.to = co_await by.connect(tcp_place(port));
  if (!all.to) co_return all;
  static_cast<void>(co_await all.to.connection->write(opening("/", header_of(offer))));
  const std::string head = co_await head_from(*all.to.connection);
  all.answer = head.substr(0, head.find("\r\n"));
  all.extensions = header_in(head, "Sec-WebSocket-Extensions");
  co_return all;
}

/// Plays a case against the server.
template <typename Case>
async::task<std::string> ask(tcp_client& by, uint16_t port, const Case& c, const char* offer) {
  const opened all = co_await open(by, port, offer);
  if (all.answer != "HTTP/1.1 101 Switching Protocols") co_return "it does not open: " + all.answer;
  const agreement agreed = agreement_in(all.extensions);
  if (agreed.compresses != (*offer != 0)) co_return "it does not agree: " + all.extensions;
  tester one(*all.to.connection, true, agreed);
  co_return co_await play(one, c);
}

websocket_limits limits() {
  websocket_limits l;
  l.message_bytes = 4u << 20;
  l.compresses = true;
  return l;
}

using server_script = std::function<async::task<>(tcp_client&, uint16_t)>;

void run_server(server_script play_all) {
  program app;
  websocket_server_limits l;
  l.each = limits();
  serve_websockets(app, l);
  app.add_clients({}, {seconds(5), seconds(5)});
  app.add<parrot>();
  using one = driver<parrot, websocket_server, tcp_client>;
  app.add<one>(one::script([&](parrot&, websocket_server& s, tcp_client& c) -> async::task<> {
    co_await play_all(c, s.port());
    co_await wait_until_open(s, 0);
    check_sums(s.counters());
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

/// The server's side of a connection with the client.
using counterpart = std::function<async::task<>(tcp_connection&)>;

/// Connects the client, which sends back what it gets, to the counterpart that is told.
struct client_trial {
  websocket_client& by;
  const uint16_t port;
  counterpart& next;
  async::manual_event& done;

  /// Returns the reason that there is no connection.
  async::task<std::string> run(counterpart c) {
    next = std::move(c);
    done.reset();
    websocket_opened one = co_await by.connect(tcp_place(port), "/");
    if (one) co_await repeat(*one.connection);
    const status ended = co_await done.wait();
    CHECK_EQ(ended, status::ok);
    co_return one ? "" : one.why;
  }
};

void run_client(std::function<async::task<>(client_trial&)> play_all, const websocket_limits& l = limits()) {
  program app;
  counterpart next;
  async::manual_event done;
  tcp_limits of_server;
  of_server.times = {seconds(5), seconds(5)};
  app.serve_tcp(
      [&](tcp_connection& c) -> async::task<> {
        co_await next(c);
        done.set();
      },
      of_server);
  add_websocket_clients(app, l);
  using one = driver<tcp_server, websocket_client>;
  app.add<one>(one::script([&](tcp_server& s, websocket_client& c) -> async::task<> {
    client_trial t{c, s.port(), next, done};
    co_await play_all(t);
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

/// Plays a case against the client, which gets an answer about compression.
template <typename Case>
async::task<std::string> offer(client_trial& t, const Case& c, const char* answer) {
  std::string fault;
  const std::string why = co_await t.run([&](tcp_connection& to) -> async::task<> {
    const std::string request = co_await head_from(to);
    static_cast<void>(co_await to.write(opening_answer(request, header_of(answer))));
    tester one(to, false, agreement_in(answer));
    fault = co_await play(one, c);
  });
  co_return why.empty() ? fault : why;
}

/// Answers the client, and tells whether it stays.
async::task<std::string> outcome_of(client_trial& t, std::string more) {
  const std::string why = co_await t.run([&](tcp_connection& to) -> async::task<> {
    const std::string request = co_await head_from(to);
    static_cast<void>(co_await to.write(opening_answer(request, more)));
    static_cast<void>(co_await to.write(encoded(closing, code_of(1000), false)));
    char rest[1000];
    while (co_await to.read_some(rest)) {
    }
  });
  co_return why.empty() ? "open" : "refused";
}

}  // namespace

TEST_CASE("the server passes each case of frames") {
  run_server([](tcp_client& by, uint16_t port) -> async::task<> {
    for (const dialogue& c : dialogues()) {
      const std::string fault = co_await ask(by, port, c, c.extension);
      CHECK_EQ(c.number + ": " + fault, c.number + ": ");
    }
  });
}

TEST_CASE("the client passes each case of frames") {
  run_client([](client_trial& t) -> async::task<> {
    for (const dialogue& c : dialogues()) {
      const std::string fault = co_await offer(t, c, c.extension);
      CHECK_EQ(c.number + ": " + fault, c.number + ": ");
    }
  });
}

TEST_CASE("compressed messages come back as they were, on all terms") {
  run_server([](tcp_client& by, uint16_t port) -> async::task<> {
    for (const stream& s : streams()) {
      const std::string fault = co_await ask(by, port, s, s.offer);
      CHECK_EQ(s.number + ": " + fault, s.number + ": ");
    }
  });
  run_client([](client_trial& t) -> async::task<> {
    for (const stream& s : streams()) {
      const std::string fault = co_await offer(t, s, s.answer);
      CHECK_EQ(s.number + ": " + fault, s.number + ": ");
    }
  });
}

TEST_CASE("the server agrees to what it keeps, and to nothing else") {
  run_server([](tcp_client& by, uint16_t port) -> async::task<> {
    for (const agreement_case& a : offers()) {
      const opened all = co_await open(by, port, a.said);
      CHECK_EQ(all.answer, "HTTP/1.1 101 Switching Protocols");
      CHECK_EQ(a.number + ": " + all.extensions, a.number + ": " + a.outcome);
    }
  });
}

TEST_CASE("the client takes no answer that it has not offered") {
  run_client([](client_trial& t) -> async::task<> {
    for (const agreement_case& a : agreements()) {
      const std::string outcome = co_await outcome_of(t, header_of(a.said));
      CHECK_EQ(a.number + ": " + outcome, a.number + ": " + a.outcome);
    }
    CHECK_EQ(co_await outcome_of(t, "Sec-WebSocket-Protocol: chat\r\n"), "refused");
    CHECK_EQ(co_await outcome_of(t, header_of("permessage-deflate") + header_of("x-unknown")), "refused");
  });
  websocket_limits plain;
  run_client(
      [](client_trial& t) -> async::task<> {
        CHECK_EQ(co_await outcome_of(t, ""), "open");
        CHECK_EQ(co_await outcome_of(t, header_of("permessage-deflate")), "refused");
      },
      plain);
}

TEST_CASE("no case of the suite is missing") {
  std::map<int, int> counts;
  const auto count = [&](const std::string& number) {
    const bool is_of_suite = number[0] != '+' && number.find_first_not_of("0123456789.") == std::string::npos;
    if (is_of_suite) ++counts[std::stoi(number)];
  };
  for (const dialogue& c : dialogues()) count(c.number);
  for (const stream& s : streams()) count(s.number);
  const std::map<int, int> all = {{1, 16}, {2, 11}, {3, 7},  {4, 10},  {5, 20},  {6, 145},
                                  {7, 37}, {9, 54}, {10, 1}, {12, 90}, {13, 126}};
  CHECK(counts == all);
}

TEST_CASE("the page of the cases is up to date") {
  const char* const bless = std::getenv("BATON_BLESS");
  if (bless && *bless) std::ofstream(BATON_WEBSOCKET_CASES) << page();
  std::ostringstream kept;
  kept << std::ifstream(BATON_WEBSOCKET_CASES).rdbuf();
  const bool is_up_to_date = kept.str() == page();
  CHECK_MESSAGE(is_up_to_date, "write it anew: BATON_BLESS=1, and this program");
}
