// SPDX-License-Identifier: MIT
#include <baton/components/beast_http_client.hpp>
#include <baton/components/beast_http_server.hpp>
#include <baton/components/http_body.hpp>

#include "tls_support.hpp"

using namespace network_test;

namespace {

async::task<http_response> repeat(http_request r) {
  co_return http_response(200, std::move(r.body));
}
async::task<http_response> collect(http_request, http_body& body) {
  http_response all;
  while (const http_piece p = co_await body.read()) all.body += p.bytes;
  co_return all;
}
struct pages {
  pages(required<http_server> s, context here)
      : echo(s->route(here, "POST", "/echo", repeat)),
        in_pieces(s->route(here, "POST", "/pieces", streamed_body(collect))) {}
  http_route echo, in_pieces;
};

using web = driver<pages, http_server, http_client>;

/// Runs a script beside an HTTP server at a place.
void run_web(const tcp_place& at, const web::script& s, const http_limits& l = {}) {
  program app;
  app.serve_http(l, at);
  app.add_clients();
  app.add<pages>();
  app.add<web>(s);
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

/// The end of a request to a server: its body, or the reason that there is none.
std::string answer_of(const tcp_place& server, const tls_client& trust, const std::string& host = "localhost") {
  std::string end;
  run_web(server, [&](pages&, http_server& s, http_client& c) -> async::task<> {
    const http_reply r = co_await c.post(tcp_place(s.port(), host).secured_by(trust), "/echo", "hello");
    end = r ? r.response.body : r.why;
    CHECK_EQ(r.ended, r ? status::ok : status::closed);
    for (int i = 0; i != 5000 && s.counters().ends() != 1; ++i) co_await async::sleep_for(milliseconds(1));
    CHECK_EQ(s.counters().handshake_failed, r ? 0u : 1u);
    check_sums(s.counters());
  });
  return end;
}
std::string answer_of(const secured& s, const std::string& host = "localhost") {
  return answer_of(s.place(), s.client, host);
}

}  // namespace

TEST_CASE("a megabyte goes both ways, and the connection ends in order") {
  const authority root("root");
  const secured s(root, root.issue());
  run_web(s.place(), [&](pages&, http_server& to, http_client& c) -> async::task<> {
    const std::string all(1u << 20, 'x');
    http_reply r = co_await c.post(s.place(to.port()), "/echo", all);
    CHECK_EQ(r.why, "");
    CHECK(r.response.body == all);
    r = co_await c.post(s.place(to.port()), "/pieces", all);
    CHECK(r.response.body == all);
    r = co_await c.post(s.place(to.port(), "127.0.0.1"), "/echo", "by address");
    CHECK_EQ(r.response.body, "by address");
    r = co_await c.post(s.place(to.port()), "/other", "");
    CHECK_EQ(r.response.status, 404);
    for (int i = 0; i != 5000 && to.counters().open != 0; ++i) co_await async::sleep_for(milliseconds(1));
    CHECK_EQ(to.counters().closed, 4u);
    check_sums(to.counters());
  });
}

TEST_CASE("a chain is followed to an authority that is trusted") {
  const authority root("root");
  const authority middle("middle", &root);
  const authority last("last", &middle);
  CHECK_EQ(answer_of(secured(root, last.issue())), "hello");
  CHECK_EQ(answer_of(secured(root, last.issue({}, false))), "unable to get local issuer certificate");
}

TEST_CASE("a certificate for another name, of another time or of a foreign authority is refused") {
  const authority root("root");
  const authority foreign("root");  // the same name
  CHECK_EQ(answer_of(secured(root, root.issue({"localhost", "DNS:example.org"}))), "hostname mismatch");
  CHECK_EQ(answer_of(secured(root, root.issue({"localhost", ""}))), "hostname mismatch");
  CHECK_EQ(answer_of(secured(root, root.issue({"x", "DNS:localhost"})), "127.0.0.1"), "IP address mismatch");
  CHECK_EQ(answer_of(secured(root, root.issue({"x", "DNS:localhost", -2, -1}))), "certificate has expired");
  CHECK_EQ(answer_of(secured(root, root.issue({"x", "DNS:localhost", 1, 2}))), "certificate is not yet valid");
  CHECK_EQ(answer_of(secured(root, foreign.issue())), "certificate signature failure");
  CHECK_EQ(answer_of(secured(root, root.issue()), ""), "no certificate can have the host's name");
  const secured other(authority("other"), root.issue());
  CHECK_EQ(answer_of(other), "unable to get local issuer certificate");
  CHECK_EQ(answer_of(other.place(), tls_client::trusting_system()), "unable to get local issuer certificate");
  CHECK_EQ(answer_of(other.place(), tls_client::trusting_anyone()), "hello");
}

TEST_CASE("a program secures its places") {
  const authority root("root");
  const scratch_folder at;
  const certificate_files files = root.issue();
  write_file(at.path + "/chain.pem", files.chain);
  write_file(at.path + "/key.pem", files.key);
  write_file(at.path + "/authorities.pem", root.text());
  program app;
  const tls_server certificate(at.path + "/chain.pem", at.path + "/key.pem");
  const tls_client trust = tls_client::trusting(at.path + "/authorities.pem");  // or trusting_system()
  app.add<beast_http_server, http_server>(tcp_place(0).secured_by(certificate));
  app.add<beast_http_client, http_client>();
  app.add<pages>();
  app.add<web>(web::script([&](pages&, http_server& s, http_client& c) -> async::task<> {
    const http_reply r = co_await c.get(tcp_place(s.port(), "localhost").secured_by(trust), "/");
    CHECK_EQ(r.response.status, 404);
  }));
  CHECK_EQ(app.run(), 0);
}

/// ---- Reload ----

TEST_CASE("a reload is for new connections, and open ones keep their certificate") {
  const authority before("before");
  const authority after("after");
  const secured old(before, before.issue());
  const secured next(after, after.issue());
  program app;
  app.serve_tcp(
      [](tcp_connection& c) -> async::task<> {
        char one = 0;
        while (co_await c.read({&one, 1})) static_cast<void>(co_await c.write({&one, 1}));
      },
      {}, old.place());
  app.add_clients();
  using two = driver<tcp_server, tcp_client>;
  app.add<two>(two::script([&](tcp_server& s, tcp_client& c) -> async::task<> {
    tcp_opened open = co_await c.connect(old.place(s.port()));
    REQUIRE(open);
    tls_server files = old.server;

    old.replace({"no certificate", "no key"});
    tls_reloaded r = files.reload();
    CHECK_EQ(r.ended, status::closed);
    CHECK_EQ(r.why, old.chain() + ": no start line");
    old.replace({after.issue().chain, after.issue().key});
    r = files.reload();
    CHECK_EQ(r.why, old.key() + ": key values mismatch");
    tcp_opened one = co_await c.connect(old.place(s.port()));
    CHECK_EQ(one.why, "");

    old.replace(after.issue());
    r = files.reload();
    CHECK(r);
    CHECK_EQ(r.why, "");
    one = co_await c.connect(old.place(s.port()));
    CHECK_EQ(one.why, "unable to get local issuer certificate");
    one = co_await c.connect(next.place(s.port()));
    CHECK_EQ(one.why, "");

    char byte = 'a';
    static_cast<void>(co_await open.connection->write({&byte, 1}));
    const tcp_result got = co_await open.connection->read({&byte, 1});
    CHECK_EQ(got.ended, status::ok);
  }));
  CHECK_EQ(app.run(), 0);
}

TEST_CASE("files that cannot be used are refused with their name and the reason") {
  const authority root("root");
  const secured s(root, root.issue());
  const auto fault_of = [](auto make) -> std::string {
    try {
      make();
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "none";
  };
  const std::string none = s.at.path + "/none.pem";
  CHECK_NE(fault_of([&] { tls_server(none, s.key()); }).find(none + ": "), std::string::npos);
  CHECK_NE(fault_of([&] { tls_server(none, s.key()); }).find("No such file"), std::string::npos);
  CHECK_NE(fault_of([&] { tls_client::trusting(none); }).find(none + ": "), std::string::npos);
  CHECK_EQ(fault_of([&] { tls_client::trusting(s.key()); }).substr(0, s.key().size() + 2), s.key() + ": ");
}

TEST_CASE("a place that is secured by the wrong side is refused") {
  const authority root("root");
  const secured s(root, root.issue());
  run_web(s.place(), [&](pages&, http_server& to, http_client& c) -> async::task<> {
    const http_reply r = co_await c.get(tcp_place(to.port()).secured_by(s.server), "/");
    CHECK_EQ(r.ended, status::closed);
    CHECK_EQ(r.why, "a client's place is secured by a tls_client");
  });
  program app;
  app.serve_tcp([](tcp_connection&) -> async::task<> { co_return; }, {}, tcp_place().secured_by(s.client));
  CHECK_NE(app.run(), 0);
  CHECK_NE(app.told.find("a server's place is secured by a tls_server"), std::string::npos);
}
