// SPDX-License-Identifier: MIT
#include <baton/components/introspection_page.hpp>
#include <baton/components/metrics_page.hpp>
#include <baton/components/prometheus_metrics.hpp>

#include <atomic>
#include <thread>

#include "network.hpp"

using namespace network_test;

// A named namespace, because compilers print an unnamed one in different ways.
namespace post {

struct paper {};
struct printer {
  printer(required<paper>, required<metrics> m) { m->make_counter("pages_total", "Pages.", {{"tray", "<1>"}}).add(3); }
};

/// Keeps its worker's thread busy.
struct keeper {
  explicit keeper(std::atomic<bool>* until) {
    while (!until->load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

}  // namespace post

namespace {

/// Adds the other services of the program.
void add_office(application& app) {
  app.add<introspection>();
  app.add<prometheus_metrics, metrics>();
  app.add<post::paper>().named("<b>stack</b> & \"more\"");
  app.add<post::printer>();
}

/// The anchor of the row whose service is written so.
std::string anchor_of(const std::string& page, const std::string& name) {
  const size_t cell = page.find("\"><td data-of=\"service\">" + name);
  if (cell == std::string::npos) return "nowhere";
  const size_t begin = page.rfind('"', cell - 1) + 1;
  return page.substr(begin, cell - begin);
}

}  // namespace

TEST_CASE("the page shows the services, and names in it are texts") {
  program app;
  app.serve_http();
  app.add_clients();
  add_office(app);
  app.add<introspection_page>();
  using one = driver<introspection_page, post::printer, http_server, http_client>;
  app.add<one>(one::script([](introspection_page&, post::printer&, http_server& s, http_client& c) -> async::task<> {
    http_reply r = co_await c.get(tcp_place(s.port()), "/introspection");
    CHECK_EQ(r.response.status, 200);
    CHECK_EQ(r.response.type, "text/html; charset=utf-8");
    CHECK_EQ(*r.response.header("Content-Security-Policy"), "default-src 'none'; style-src 'unsafe-inline'");
    const std::string& page = r.response.body;
    CHECK(page.starts_with("<!DOCTYPE html>\n"));
    CHECK(page.ends_with("</body></html>\n"));
    CHECK(page.find("<h1>main</h1>") != std::string::npos);
    const std::string stack = "<code>&lt;b&gt;stack&lt;/b&gt; &amp; &quot;more&quot;</code>";
    const std::string paper = anchor_of(page, stack), printer = anchor_of(page, "<code>post::printer</code>");
    CHECK(page.find("<tr id=\"" + paper + "\"><td data-of=\"service\">" + stack + "</td><td data-of=\"phase\">" +
                    "<span class=\"active\">active</span></td><td data-of=\"provides\"><div><code>post::paper</code>" +
                    "</div></td><td data-of=\"needs\"></td><td data-of=\"needed by\"><div><a href=\"#" + printer +
                    "\"><code>post::printer</code></a></div></td>") != std::string::npos);
    CHECK(page.find("<div>required <code>post::paper</code>: <a href=\"#" + paper + "\">" + stack + "</a></div>") !=
          std::string::npos);
    CHECK_EQ(page.find("refresh\" content"), std::string::npos);
    CHECK_EQ(page.find("<b>"), std::string::npos);
    CHECK_EQ(page.find("http:"), std::string::npos);  // it refers to nothing

    r = co_await c.get(tcp_place(s.port()), "/introspection?refresh=7");
    CHECK(r.response.body.find("<meta http-equiv=\"refresh\" content=\"7\">") != std::string::npos);
    r = co_await c.get(tcp_place(s.port()), "/introspection?refresh=no");
    CHECK_EQ(r.response.body.find("http-equiv"), std::string::npos);
    r = co_await c.get(tcp_place(s.port()), "/introspection.json");
    CHECK_EQ(r.response.type, "application/json");
    CHECK(r.response.body.starts_with(R"({"workers":[{"name":"main","has_answered":true,"waiting_events":)"));
    CHECK(r.response.body.find(R"("name":"<b>stack</b> & \"more\"","number":)") != std::string::npos);
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

TEST_CASE("the page shows all workers, and names one that does not answer") {
  program app;
  app.serve_http();
  app.add_clients();
  app.add<introspection>();
  app.add<introspection_page>();
  app.add_worker("press").add<post::paper>().named("stack");
  std::atomic<bool> is_over{false};
  app.add_worker("busy").add<post::keeper>(&is_over);
  using one = driver<introspection, introspection_page, http_server, http_client>;
  app.add<one>(one::script([&](introspection& i, introspection_page&, http_server& s, http_client& c) -> async::task<> {
    const http_reply page = co_await c.get(tcp_place(s.port()), "/introspection");
    CHECK(page.response.body.find("<h1>press</h1>\n<p>Events: 0 waiting") != std::string::npos);
    CHECK(page.response.body.find("<code>stack</code></td><td data-of=\"phase\"><span class=\"active\">") !=
          std::string::npos);
    CHECK(page.response.body.find("<h1>busy</h1>\n<p class=\"down\">This worker does not answer.</p>") !=
          std::string::npos);
    const program_report some = co_await i.whole(milliseconds(1));
    CHECK_EQ(some.workers.size(), 3u);
    CHECK(!some.find("busy")->has_answered);
    is_over = true;  // the worker answers the earlier questions, too
    const program_report all = co_await i.whole(seconds(60));
    for (const worker_report& w : all.workers) CHECK(w.has_answered);
    const service_snapshot* const stack = all.find("press")->find("stack");
    CHECK((stack && stack->phase == phase::active));
    CHECK_EQ(all.find("busy")->services.size(), 1u);
    CHECK_EQ(all.find("nobody"), nullptr);
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

TEST_CASE("the metrics' text is at its path") {
  program app;
  app.serve_http();
  app.add_clients();
  add_office(app);
  app.add<metrics_page>();
  app.add<metrics_page>("/other");
  using two = driver<post::printer, http_server, http_client>;
  app.add<two>(two::script([](post::printer&, http_server& s, http_client& c) -> async::task<> {
    for (const char* const path : {"/metrics", "/other"}) {
      const http_reply r = co_await c.get(tcp_place(s.port()), path);
      CHECK_EQ(r.response.status, 200);
      CHECK_EQ(r.response.type, "text/plain; version=0.0.4; charset=utf-8");
      CHECK_EQ(r.response.body, "# HELP pages_total Pages.\n# TYPE pages_total counter\npages_total{tray=\"<1>\"} 3\n");
    }
  }));
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}
