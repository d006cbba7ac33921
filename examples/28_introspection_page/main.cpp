// SPDX-License-Identifier: MIT
//
// A program that shows its services to a browser, and its metrics to Prometheus.
//
//     28_introspection_page          reads its own page and prints some of it
//     28_introspection_page 8080     serves until Ctrl-C: http://localhost:8080/introspection
//                                    and http://localhost:8080/metrics
#include <baton/asio/poller.hpp>
#include <baton/components/beast_http_client.hpp>
#include <baton/components/beast_http_server.hpp>
#include <baton/components/introspection_page.hpp>
#include <baton/components/metrics_page.hpp>
#include <baton/components/prometheus_metrics.hpp>
#include <baton/service.hpp>
#include <cstdio>
#include <cstdlib>

using namespace baton::service;
using namespace baton::components;
namespace async = baton::async;

struct stapler {};
struct paper {};
struct printer {
  printer(required<paper>, optional<stapler>, required<metrics> m) {
    m->make_counter("pages_total", "Pages that were printed.").add(12);
  }
};

/// Reads the pages as a browser would.
struct visitor {
  visitor(required<http_client> c, required<http_server> s, required<introspection_page>, required<metrics_page>,
          required<printer>, context here) {
    here.spawn(visit(c, tcp_place(s->port()), here));
  }

  static async::task<> visit(required<http_client> client, tcp_place there, context here) {
    const http_reply page = co_await client->get(there, "/introspection");
    print_line(page.response.body, "<code>the press</code></td>");
    print_line(page.response.body, "<code>the paper</code></td>");
    const http_reply json = co_await client->get(there, "/introspection.json");
    std::printf("%s: %s\n", json.response.type.c_str(), json.response.body.substr(0, 27).c_str());
    const http_reply numbers = co_await client->get(there, "/metrics");
    print_line(numbers.response.body, "\npages_total");
    here.quit();
  }
  /// Prints the line in which `part` ends first, to its end.
  static void print_line(const std::string& text, const std::string& part) {
    const size_t found = text.find(part);
    if (found == std::string::npos) return;
    const size_t begin = text.rfind('\n', found + part.size() - 1) + 1;
    std::puts(text.substr(begin, text.find('\n', begin) - begin).c_str());
  }
};

int main(int count, char** words) {
  const uint16_t port = static_cast<uint16_t>(count > 1 ? std::strtoul(words[1], nullptr, 10) : 0);
  application app;
  app.add<beast_http_server, http_server>(tcp_place(port));
  app.add<prometheus_metrics, metrics>();
  app.add<metrics_page>();
  app.add<introspection>();
  app.add<introspection_page>();
  app.add<paper>().named("the paper");
  app.add<printer>().named("the press");
  if (port == 0) {
    app.add<beast_http_client, http_client>();
    app.add<visitor>().named("a visitor");
  }
  baton::asio::poller io;
  const int code = app.run(io);
  std::puts("all have ended");
  return code;
}
