// SPDX-License-Identifier: MIT
//
// A target of libFuzzer, in the form of OSS-Fuzz: any bytes as a client's side of a connection. The
// server answers each request with what it has read. A reader of the RFCs' letter reads the same
// bytes: the server may refuse what that one takes, but what it takes must be the same.
#include "connection.hpp"
#include "loopback.hpp"
#include "strict_http.hpp"

using namespace http_fuzz;

namespace {

struct echo {
  echo(service::required<components::http_server> s, service::context here)
      : get(s->route(here, "GET", "/", repeat)), post(s->route(here, "POST", "/", repeat)) {}

  static baton::async::task<components::http_response> repeat(components::http_request r) {
    const std::string* const host = r.header("Host");
    co_return components::http_response(200, r.method + " " + r.target + " " + (host ? *host : "") + "\n" + r.body);
  }
  components::http_route get, post;
};

components::http_limits limits() {
  components::http_limits l;
  l.header_bytes = 1000;
  l.body_bytes = 1000;
  l.reading_time = baton::milliseconds(500);
  l.idle_time = baton::milliseconds(500);
  return l;
}

/// True if the server has taken the request for one, whether it has such a page or not.
bool is_taken(const strict_answer& a) {
  return a.code < 300 || a.code == 404 || a.code == 405;
}

/// The reason that this is no answer of the server to the request; empty: it is one.
std::string fault_of(const strict_answer& a, const strict_request& r) {
  const std::string path = r.target.substr(0, r.target.find('?'));
  const bool is_known = r.method == "GET" || r.method == "HEAD" || r.method == "POST";
  int code = path != "/" ? 404 : is_known ? 200 : 405;
  if (path == "*") code = 204;
  if (a.code != code) return "it has read another request";
  if (code != 200 || r.method == "HEAD") return {};
  const bool is_same = a.body == r.method + " " + r.target + " " + r.host + "\n" + r.body;
  return is_same ? "" : "it has read the request otherwise";
}

/// The reason that these are no answers to the text; empty: they are.
std::string fault_of(std::string_view text, std::string_view said) {
  const std::vector<strict_request> asked = requests_of(text);
  const strict_answers answers = answers_of(said, asked);
  if (!answers.fault.empty()) return answers.fault;
  for (size_t i = 0; i != answers.all.size(); ++i) {
    if (!is_taken(answers.all[i])) continue;
    std::string fault = i < asked.size() ? fault_of(answers.all[i], asked[i]) : "it takes what must be refused";
    if (!fault.empty()) return fault;
  }
  return answers.all.size() > asked.size() + 1 ? "it answers more than it was asked" : "";
}

}  // namespace

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  static const uint16_t port = serve(limits(), [](service::application& app) { app.add<echo>(); });
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string said = exchange(port, text);
  const std::string fault = fault_of(text, said);
  if (!fault.empty()) fail(fault, text, said);
  return 0;
}
