// SPDX-License-Identifier: MIT
//
// A target of libFuzzer, in the form of OSS-Fuzz: any bytes as a client's frames, behind a sound
// opening request. The first byte chooses what the request says about compression. The server sends
// each message back. A reader of the RFCs' letter reads the same frames: what the server takes must
// be the same, and its close must have the code that the RFC asks for.
#include <algorithm>

#include "connection.hpp"
#include "loopback.hpp"
#include "strict_frames.hpp"

using namespace http_fuzz;

namespace {

constexpr size_t most_bytes = 300;

components::http_limits limits() {
  components::http_limits l;
  l.websocket.message_bytes = most_bytes;
  l.websocket.compresses = true;
  return l;
}

struct parrot {
  parrot(service::required<components::http_server> s, service::context here) : path(s->websocket(here, "/", repeat)) {}

  static baton::async::task<> repeat(components::websocket& to) {
    while (const components::websocket_message m = co_await to.receive()) {
      if (m.data.size() > most_bytes) fail("a message is above the limit", "", m.data);
      const baton::status sent = m.is_text ? co_await to.send_text(m.data) : co_await to.send_binary(m.data);
      if (sent != baton::status::ok) co_return;
    }
  }
  components::websocket_route path;
};

std::string opening(unsigned char choice) {
  static const std::string offers[] = {
      "", "Sec-WebSocket-Extensions: permessage-deflate\r\n",
      "Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover; server_no_context_takeover\r\n"};
  return "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
         offers[choice % 3] + "\r\n";
}

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}
/// True if these are some of those, in their order.
bool are_some_of(const std::vector<std::string>& these, const std::vector<std::string>& those) {
  size_t at = 0;
  for (const std::string& one : those) at += at != these.size() && these[at] == one ? 1 : 0;
  return at == these.size();
}
bool begins_with(const std::vector<strict_payload>& all, const std::vector<strict_payload>& some) {
  return some.size() <= all.size() && std::equal(some.begin(), some.end(), all.begin());
}

/// The reason that a server which has got `asked` must not send `said`; empty: it may.
std::string fault_of(const strict_frames& asked, const strict_frames& said) {
  if (said.is_cut || said.has_rest || (!said.is_closed && !said.answers.empty())) return "its frames are not sound";
  if (asked.is_cut && asked.answers.empty()) return {};
  if (!begins_with(asked.messages, said.messages)) return "it has read another message";
  if (!are_some_of(said.pongs, asked.pings)) return "it answers what is no ping";
  if (asked.answers.empty()) return said.is_closed ? "it closes for no reason" : "";
  const bool is_right = std::find(asked.answers.begin(), asked.answers.end(), said.code) != asked.answers.end();
  return said.is_closed && is_right ? "" : "it closes with " + std::to_string(said.code);
}

}  // namespace

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  static const uint16_t port = serve(limits(), [](service::application& app) { app.add<parrot>(); });
  if (size == 0) return 0;
  const std::string_view frames(reinterpret_cast<const char*>(data) + 1, size - 1);
  connection to(port);
  to.write(opening(data[0]));
  const std::string head = to.read_to("\r\n\r\n");
  if (!head.starts_with("HTTP/1.1 101 ")) fail("it does not open", opening(data[0]), head);
  to.write(frames);
  to.end_writing();
  const std::string got = to.rest();
  const bool is_compressed = has(head, "permessage-deflate");
  // Beast keeps the window of a client that offers client_no_context_takeover, as RFC 7692 lets it
  // (7.1.1.2): its inflater's doClear does nothing.
  const strict_frames asked = frames_of(frames, {true, is_compressed, true, most_bytes});
  const strict_frames said = frames_of(got, {false, is_compressed, !has(head, "server_no_context"), SIZE_MAX});
  const std::string fault = fault_of(asked, said);
  if (!fault.empty()) fail(fault, frames, got);
  return 0;
}
