// SPDX-License-Identifier: MIT
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>

#include "tls_support.hpp"

using namespace network_test;

namespace {

async::task<http_response> hello(http_request) {
  co_return http_response(200, "hello");
}
struct page {
  page(required<http_server> s, context here) : get(s->route(here, "GET", "/", hello)) {}
  http_route get;
};

/// Waits for the output of a command, which runs on a thread of its own.
async::task<std::string> output_of(std::string command) {
  std::string all;
  std::atomic<bool> is_done = false;
  std::thread runner([&] {
    FILE* const from = popen(("timeout -s KILL 60 " + command + " 2>&1").c_str(), "r");  // NOLINT(cert-env33-c)
    std::array<char, 4096> some{};
    while (const size_t n = from ? fread(some.data(), 1, some.size(), from) : 0) all.append(some.data(), n);
    if (from) pclose(from);
    is_done = true;
  });
  while (!is_done) co_await async::sleep_for(milliseconds(10));
  runner.join();
  co_return all;
}

/// Runs a script beside an HTTP server over TLS.
void run_web(const secured& s, const driver<page, http_server>::script& what) {
  program app;
  app.serve_http({}, s.place());
  app.add<page>();
  app.add<driver<page, http_server>>(what);
  CHECK_EQ(app.run(), 0);
}

}  // namespace

TEST_CASE("curl gets a page, with both versions of TLS, and trusts no other authority") {
  const authority root("root");
  const secured s(root, root.issue());
  run_web(s, [&](page&, http_server& to) -> async::task<> {
    const std::string url = " https://localhost:" + std::to_string(to.port()) + "/";
    const std::string curl = "curl -sS --max-time 50 --noproxy '*' ";
    const std::string trusting = curl + "--cacert " + s.at.path + "/authorities.pem -w ' %{http_version}' ";
    const std::string page_1_3 = co_await output_of(trusting + "--tlsv1.3" + url);
    CHECK_EQ(page_1_3, "hello 1.1");
    const std::string page_1_2 = co_await output_of(trusting + "--tls-max 1.2" + url);
    CHECK_EQ(page_1_2, "hello 1.1");
    const std::string refused = co_await output_of(curl + url);
    CHECK_NE(refused.find("unable to get local issuer certificate"), std::string::npos);
  });
}

TEST_CASE("a client of OpenSSL is refused that speaks an older version, or HTTP/2 alone") {
  const authority root("root");
  const secured s(root, root.issue());
  run_web(s, [&](page&, http_server& to) -> async::task<> {
    const std::string client = "openssl s_client -connect 127.0.0.1:" + std::to_string(to.port()) + " </dev/null ";
    const std::string old = co_await output_of(client + "-tls1_1 -cipher DEFAULT@SECLEVEL=0");
    CHECK_NE(old.find("alert protocol version"), std::string::npos);
    const std::string h2 = co_await output_of(client + "-alpn h2");
    CHECK_NE(h2.find("no application protocol"), std::string::npos);
    const std::string both = co_await output_of(client + "-alpn h2,http/1.1");
    CHECK_NE(both.find("ALPN protocol: http/1.1"), std::string::npos);
  });
}

TEST_CASE("Python sends a megabyte and gets it back, and is told the end") {
  const authority root("root");
  const secured s(root, root.issue());
  program app;
  app.serve_tcp(
      [](tcp_connection& c) -> async::task<> {
        std::string some(65536, ' ');
        for (;;) {
          const tcp_result got = co_await c.read_some(some);
          if (!got) co_return;
          static_cast<void>(co_await c.write(std::string_view{some}.substr(0, got.bytes)));
          if (some[got.bytes - 1] == '.') co_return;
        }
      },
      {}, s.place());
  using one = driver<tcp_server>;
  app.add<one>(one::script([&](tcp_server& to) -> async::task<> {
    const std::string said =
        co_await output_of(BATON_PYTHON " -B " BATON_TLS_PEER " client " + std::to_string(to.port()) + " " + s.at.path);
    CHECK_EQ(said, "TLSv1.3 True b'.'\n");
    CHECK_EQ(to.counters().ended, 1u);
  }));
  CHECK_EQ(app.run(), 0);
}

TEST_CASE("a client gets a page from Python, and offers HTTP/1.1") {
  const authority root("root");
  const secured s(root, root.issue());
  program app;
  app.add_clients();
  using one = driver<http_client>;
  app.add<one>(one::script([&](http_client& c) -> async::task<> {
    const std::string command = "timeout -s KILL 60 " BATON_PYTHON " -B " BATON_TLS_PEER " server " + s.at.path;
    FILE* const server = popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
    REQUIRE(server);
    std::array<char, 16> line{};
    REQUIRE(fgets(line.data(), line.size(), server));
    const auto port = static_cast<uint16_t>(std::stoi(line.data()));
    const http_reply r = co_await c.get(s.place(port), "/");
    CHECK_EQ(r.why, "");
    CHECK_EQ(r.response.body, "http/1.1");
    pclose(server);
  }));
  CHECK_EQ(app.run(), 0);
}
