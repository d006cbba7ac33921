// SPDX-License-Identifier: MIT
#include <array>
#include <baton/components/introspection_page.hpp>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "network.hpp"

using namespace network_test;

namespace {

/// The browser's output for the page.
struct dumped {
  std::string text;
};

struct clerk {};

/// Lets the browser read a page, on a thread of its own.
std::string dump(uint16_t port) {
  const std::filesystem::path own = std::filesystem::temp_directory_path() / ("baton_page_" + std::to_string(port));
  const std::string command =
      "timeout -s KILL 90 " BATON_CHROMIUM " --headless --no-sandbox --disable-gpu --user-data-dir=" + own.string() +
      " --dump-dom http://127.0.0.1:" + std::to_string(port) + "/introspection 2>/dev/null";
  std::string all;
  FILE* const from = popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
  if (!from) return "no browser";
  std::array<char, 4096> some{};
  while (const size_t n = fread(some.data(), 1, some.size(), from)) all.append(some.data(), n);
  pclose(from);
  std::error_code ignored;
  std::filesystem::remove_all(own, ignored);
  return all;
}

struct viewer {
  viewer(required<introspection_page>, required<http_server> s, required<clerk>, context here, std::string& to)
      : heard(here.on<dumped>([&to, here](const dumped& d) {
          to = d.text;
          here.quit();
        })),
        browser([port = s->port(), here] { here.program().post(here, dumped{dump(port)}); }) {}
  ~viewer() { browser.join(); }
  registration heard;
  std::thread browser;
};

}  // namespace

TEST_CASE("a browser shows the page as it is meant") {
  program app;
  app.serve_http();
  app.add<introspection>();
  app.add<introspection_page>();
  app.add<clerk>().named("<script>document.body.innerHTML=''</script>");
  std::string page;
  app.add<viewer>(std::ref(page)).named("viewer");
  CHECK_EQ(app.run(), 0);
  CHECK(page.find("<h1>main</h1>") != std::string::npos);
  CHECK(page.find("<code>&lt;script&gt;document.body.innerHTML=''&lt;/script&gt;</code></td>") != std::string::npos);
  CHECK(page.find("<code>viewer</code></td><td data-of=\"phase\"><span class=\"active\">active</span>") !=
        std::string::npos);
  CHECK(page.find("<svg ") != std::string::npos);
  CHECK_EQ(page.find("<script>"), std::string::npos);
}
