// SPDX-License-Identifier: MIT
#include <array>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "websocket_support.hpp"

using namespace network_test;

namespace {

/// The browser's output for the page.
struct dumped {
  std::string text;
};

/// A page that answers the server's messages by the browser's own WebSocket, and shows them. Its
/// picture is sent after the last message, and the browser waits for the picture before it shows
/// the page.
const std::string page = R"(<!DOCTYPE html><title>talk</title><p id="heard"></p><script>
const heard = document.getElementById("heard");
const to = new WebSocket("ws://127.0.0.1:" + location.search.substr(1) + "/talk");
to.binaryType = "arraybuffer";
to.onmessage = e => {
  heard.textContent += typeof e.data + " " + (e.data.length || e.data.byteLength) + ". ";
  to.send(e.data);
};
to.onclose = e => { heard.textContent += "closed " + e.code + " " + e.reason + " " + e.wasClean; };
</script><img src="/over">)";

struct talker {
  talker(required<http_server> p, required<websocket_server> s, context h, std::string& to)
      : here(h),
        log(to),
        main(p->route(h, "GET", "/", [](const http_request&) { return show(); })),
        picture(p->route(h, "GET", "/over", [this](const http_request&) { return wait(); })),
        talk(s->route(h, "/talk", [this](websocket& w) { return speak(w); })) {}

  static async::task<http_response> show() { co_return http_response(200, page, "text/html"); }
  async::task<http_response> wait() {
    const status waited = co_await over.wait();
    co_return http_response(waited == status::ok ? 200 : 503, "");
  }
  async::task<> speak(websocket& w) {
    const std::string* const origin = w.request().header("Origin");
    log += origin ? *origin + " " : "no origin ";
    for (const size_t bytes : {5u, 70000u}) {
      static_cast<void>(co_await w.send_text(std::string(bytes, 't')));
      static_cast<void>(co_await w.send_binary(std::string(bytes, '\xfe')));
      const websocket_message text = co_await w.receive();
      const websocket_message binary = co_await w.receive();
      if (text.is_text && text.data == std::string(bytes, 't')) log += "text ";
      if (!binary.is_text && binary.data == std::string(bytes, '\xfe')) log += "binary ";
    }
    const status closed = co_await w.close(4002, "enough");
    log += closed == status::ok ? "closed" : "not closed";
    over.set();
  }

  context here;
  std::string& log;
  async::manual_event over;
  http_route main, picture;
  websocket_route talk;
};

/// Lets the browser read the page, on a thread of its own.
std::string dump(uint16_t port, uint16_t talks_to) {
  const std::filesystem::path own = std::filesystem::temp_directory_path() / ("baton_talk_" + std::to_string(port));
  const std::string command =
      "timeout -s KILL 90 " BATON_CHROMIUM " --headless --no-sandbox --disable-gpu --user-data-dir=" + own.string() +
      " --dump-dom 'http://127.0.0.1:" + std::to_string(port) + "/?" + std::to_string(talks_to) + "' 2>/dev/null";
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
  viewer(required<talker>, required<http_server> p, required<websocket_server> s, context here, std::string& to)
      : heard(here.on<dumped>([&to, here](const dumped& d) {
          to = d.text;
          here.quit();
        })),
        browser([from = p->port(), talks_to = s->port(), here] {
          here.program().post(here, dumped{dump(from, talks_to)});
        }) {}
  ~viewer() { browser.join(); }
  registration heard;
  std::thread browser;
};

}  // namespace

TEST_CASE("a browser's own WebSocket understands the server, and is understood") {
  program app;
  app.serve_http();
  serve_websockets(app);
  std::string log;
  std::string shown;
  app.add<talker>(std::ref(log));
  app.add<viewer>(std::ref(shown));
  CHECK_EQ(app.run(), 0);
  CHECK(log.starts_with("http://127.0.0.1:"));
  CHECK(log.ends_with(" text binary text binary closed"));
  CAPTURE(shown);
  CHECK(shown.find("string 5. object 5. string 70000. object 70000. closed 4002 enough true") != std::string::npos);
}
