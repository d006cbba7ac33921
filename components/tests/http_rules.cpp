// SPDX-License-Identifier: MIT
#include "http_rules.hpp"

namespace http_rules {

/// A request with these headers and this body.
static std::string post(const std::string& headers, const std::string& body = "") {
  return "POST /echo HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n" + body;
}
static std::string get(const std::string& target, const std::string& host = "localhost") {
  return "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
}
static std::string chunks(const std::string& body) {
  return post("Transfer-Encoding: chunked\r\n", body);
}

const std::string& probe() {
  static const std::string text = "GET /probe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  return text;
}

std::string codes_in(const std::string& text) {
  std::string all;
  for (size_t at = text.find("HTTP/1."); at != std::string::npos; at = text.find("HTTP/1.", at + 1)) {
    all += (all.empty() ? "" : " ") + text.substr(at + 9, 3);
  }
  return all;
}

bool has_words_of(const server_rule& r, const std::string& all) {
  const bool has_probe = std::string(r.answers).find(' ') != std::string::npos;
  const std::string own = all.substr(0, has_probe ? all.rfind("HTTP/1.") : all.size());
  return all.find(r.says) != std::string::npos && (r.conceals.empty() || own.find(r.conceals) == std::string::npos);
}

/// The rules about the first line and the target.
static void add_lines(std::vector<server_rule>& to) {
  const std::string nul(1, '\0');
  to.insert(
      to.end(),
      {
          {"9112, 2.2", "empty lines before a request are ignored", "\r\n\r\n" + get("/echo"), "200 200", "", ""},
          {"9112, 2.2", "a line ends with CR and LF; a CR alone is refused",
           "GET /echo HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n", "400", "", ""},
          {"9112, 2.2", "an LF alone is refused", "GET /echo HTTP/1.1\nHost: localhost\n\n", "400", "", ""},
          {"9112, 2.2", "blanks before the first header are refused", "GET /echo HTTP/1.1\r\n Host: localhost\r\n\r\n",
           "400", "", ""},
          {"9112, 2.3", "a version that is not 1.0 or 1.1 is refused", "GET /echo HTTP/2.0\r\nHost: localhost\r\n\r\n",
           "400", "", ""},
          {"9112, 3", "a first line with two blanks in a row is refused",
           "GET  /echo HTTP/1.1\r\nHost: localhost\r\n\r\n", "400", "", ""},
          {"9112, 3.2.1", "a target has a path", get("echo"), "400", "", ""},
          {"9112, 3.2.1", "a target has no fragment", get("/echo#a"), "400", "", ""},
          {"9112, 3.2.2", "an absolute target is answered as its path", get("http://localhost/echo?a"), "200 200",
           "GET /echo?a", ""},
          {"9112, 3.2.2", "the host of an absolute target counts, and not the header's",
           get("http://localhost/echo", "evil.test"), "200 200", "[Host]=[localhost]", "evil.test"},
          {"9112, 3.2.2", "and becomes a header where there is none",
           "GET http://localhost/echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "200 200", "[Host]=[localhost]", ""},
          {"9112, 3.2.2", "the host of an absolute target is checked", get("http://evil.test/echo"), "421", "", ""},
          {"9112, 3.2.3", "the authority alone is a target for CONNECT only, which there is not",
           "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", "501", "", ""},
          {"9112, 3.2.4", "`OPTIONS *` asks about the server itself", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
           "204 200", "", ""},
          {"9112, 3.2.4", "other methods have no target `*`", get("*"), "400", "", ""},
          {"9110, 5.5", "a NUL in a header is refused", post("X: a" + nul + "b\r\n"), "400", "", ""},
          {"9110, 9.1", "an unknown method of a known path is refused, and the known ones are told",
           "BREW /echo HTTP/1.1\r\nHost: localhost\r\n\r\n", "405 200", "Allow: GET, HEAD, POST", ""},
      });
}

/// The rules about headers and hosts.
static void add_headers(std::vector<server_rule>& to) {
  to.insert(
      to.end(),
      {
          {"9112, 3.2", "a request of 1.1 without a host is refused", "GET /echo HTTP/1.1\r\n\r\n", "400", "", ""},
          {"9112, 3.2", "two hosts are refused", post("Host: localhost\r\n"), "400", "", ""},
          {"9112, 3.2", "a host that is none is refused", get("/echo", "local host"), "400", "", ""},
          {"9110, 7.4", "a host that the server is not is refused", get("/echo", "evil.test"), "421", "", ""},
          {"9110, 7.2", "a host may have a port, and capital letters", get("/echo", "LocalHost:81"), "200 200", "", ""},
          {"9110, 7.2", "an address is a host", get("/echo", "[::1]:81"), "200 200", "", ""},
          {"9112, 5.1", "a blank between a name and its colon is refused", post("X-Name : a\r\n"), "400", "", ""},
          {"9112, 5.1", "a name is a token", post("X(Name: a\r\n"), "400", "", ""},
          {"9112, 5.2", "a folded line is one value", post("X-Name: a\r\n b\r\nContent-Length: 0\r\n"), "200 200",
           "[X-Name]=[a b]", ""},
          {"9110, 10.1.1", "an expectation of 100-continue is met before the body is read",
           post("Expect: 100-continue\r\nContent-Length: 2\r\n", "hi"), "100 200 200", "body=hi", ""},
          {"9110, 10.1.1", "another expectation is refused", post("Expect: tea\r\nContent-Length: 0\r\n"), "417", "",
           ""},
          {"6454, 7", "a page of another origin may not change state",
           post("Origin: http://evil.test\r\nContent-Length: 0\r\n"), "403", "", ""},
          {"6454, 7", "a page without an origin of its own may not change state",
           post("Origin: null\r\nContent-Length: 0\r\n"), "403", "", ""},
          {"6454, 7", "two origins are refused",
           post("Origin: http://localhost\r\nOrigin: http://evil.test\r\nContent-Length: 0\r\n"), "400", "", ""},
          {"6454, 7", "a page of the server's own origin may change state",
           post("Origin: http://localhost\r\nContent-Length: 0\r\n"), "200 200", "", ""},
      });
}

/// The rules about bodies.
static void add_bodies(std::vector<server_rule>& to) {
  to.insert(
      to.end(),
      {
          {"9112, 6.1", "a coding before `chunked` is not known",
           post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), "501", "", ""},
          {"9112, 6.1", "`chunked` stands there once", post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"),
           "400", "", ""},
          {"9112, 6.1", "codings in two headers are one list",
           post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n"), "400", "", ""},
          {"9112, 6.1", "HTTP/1.0 has no codings",
           "POST /echo HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400", "", ""},
          {"9112, 6.3, 3", "a length beside a coding is refused",
           post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), "400", "", ""},
          {"9112, 6.3, 3", "a coding beside a length is refused",
           post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n"), "400", "", ""},
          {"9112, 6.3, 4", "a body whose last coding is not `chunked` is refused",
           post("Transfer-Encoding: identity\r\n", get("/echo")), "400", "", ""},
          {"9112, 6.3, 4", "as is one that only resembles it", post("Transfer-Encoding: xchunked\r\n", get("/echo")),
           "400", "", ""},
          {"9112, 6.3, 4", "as is one behind `chunked`", post("Transfer-Encoding: chunked, identity\r\n", get("/echo")),
           "400", "", ""},
          {"9112, 6.3, 5", "two lengths are refused", post("Content-Length: 3\r\nContent-Length: 4\r\n", "abcd"), "400",
           "", ""},
          {"9112, 6.3, 5", "so are two equal ones", post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc"), "400",
           "", ""},
          {"9112, 6.3, 5", "so is a list of lengths", post("Content-Length: 3, 3\r\n", "abc"), "400", "", ""},
          {"9112, 6.3, 5", "a length with a sign is refused", post("Content-Length: +3\r\n", "abc"), "400", "", ""},
          {"9112, 6.3, 5", "a length that is no number is refused", post("Content-Length: 0x3\r\n", "abc"), "400", "",
           ""},
          {"9112, 6.3, 5", "a length beyond 64 bits is refused",
           post("Content-Length: 18446744073709551619\r\n", "abc"), "400", "", ""},
          {"9112, 6.3, 7", "a request without a length has no body", post("", ""), "200 200", "body=\n", ""},
          {"9112, 7.1", "chunks are one body", chunks("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), "200 200", "body=abcde", ""},
          {"9112, 7.1", "the size of a chunk is a number", chunks("xyz\r\n"), "400", "", ""},
          {"9112, 7.1", "the size of a chunk has no sign", chunks("-3\r\nabc\r\n0\r\n\r\n"), "400", "", ""},
          {"9112, 7.1", "a chunk ends where its size says", chunks("2\r\nabc\r\n0\r\n\r\n"), "400", "", ""},
          {"9112, 7.1", "the size of a chunk fits into 64 bits", chunks("10000000000000001\r\na\r\n0\r\n\r\n"), "400",
           "", ""},
          {"9112, 7.1.1", "an extension of a chunk is ignored", chunks("3;a=b\r\nabc\r\n0\r\n\r\n"), "200 200",
           "body=abc", ""},
          {"9112, 7.1.1", "one with a line end in it is refused", chunks("3;a=\"\n\"\r\nabc\r\n0\r\n\r\n"), "400", "",
           ""},
          {"9110, 6.5.1", "a trailer is no header", chunks("0\r\nX-Auth-User: admin\r\nX-Name: c\r\n\r\n"), "200 200",
           "body=\n", "admin"},
          {"9110, 6.5.1", "a trailer sets no length", chunks("0\r\nContent-Length: 3\r\n\r\n"), "400", "", ""},
      });
}

/// The rules about answers.
static void add_answers(std::vector<server_rule>& to) {
  to.insert(to.end(),
            {
                {"9110, 6.6.1", "each answer has a date", get("/none"), "404 200", "Date: ", ""},
                {"9110, 6.6.1", "a refusal has a date", post("Content-Length: +3\r\n"), "400", "Date: ", ""},
                {"9110, 9.3.2", "HEAD is answered as GET, without the body",
                 "HEAD /echo HTTP/1.1\r\nHost: localhost\r\n\r\n", "200 200", "Content-Length: ", "body="},
                {"9110, 9.3.2", "a refused HEAD has no body either", "HEAD /echo HTTP/1.1\r\nHost: evil.test\r\n\r\n",
                 "421", "Content-Length: ", "This server"},
                {"9110, 8.6", "a 204 has no length", get("/204"), "204 200", "204 No Content", "Content-Length: 0"},
                {"9110, 15.4.5", "a 304 has no body", get("/304"), "304 200", "", "Content-Length: 0"},
                {"9112, 9.3", "a connection of 1.1 goes on", get("/echo"), "200 200", "", "keep-alive"},
                {"9112, 9.3", "one of 1.0 ends", "GET /echo HTTP/1.0\r\n\r\n", "200", "Connection: close", ""},
                {"9112, 9.3", "unless the client keeps it", "GET /echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
                 "200 200", "Connection: keep-alive", ""},
                {"9112, 9.3", "`close` ends one of 1.0 that is kept, too",
                 "GET /echo HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", "200", "Connection: close", ""},
                {"9112, 9.3", "`close` ends one in any of its headers",
                 "GET /echo HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n", "200",
                 "Connection: close", ""},
                {"9110, 2.5", "a request of 1.0 is answered by 1.1", "GET /echo HTTP/1.0\r\n\r\n", "200",
                 "HTTP/1.1 200", "HTTP/1.0"},
                {"9112, 7.1", "an answer of unknown length comes in chunks", get("/stream"), "200 200",
                 "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", ""},
                {"9112, 6.3, 8", "and to 1.0 until the end of the connection", "GET /stream HTTP/1.0\r\n\r\n", "200",
                 "\r\n\r\nabc", "Transfer-Encoding"},
            });
}

const std::vector<server_rule>& of_server() {
  static const std::vector<server_rule> all = [] {
    std::vector<server_rule> to;
    add_lines(to);
    add_headers(to);
    add_bodies(to);
    add_answers(to);
    return to;
  }();
  return all;
}

const std::vector<client_rule>& of_client() {
  static const std::string ok = "HTTP/1.1 200 OK\r\n";
  static const std::string two = ok + "Content-Length: 2\r\n\r\nhi";
  static const std::vector<client_rule> all = {
      {"9110, 15.2", "an interim answer is not the answer", "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + two,
       "200 hi"},
      {"9110, 15.2", "nor are two", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + two, "200 hi"},
      {"9110, 15.2.2", "a change of the protocol is not asked for", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
       "the server has changed the protocol unasked"},
      {"9112, 6.3, 1", "a 204 has no body, even if it has a length",
       "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nhi", "204 "},
      {"9112, 6.3, 3", "a length beside a coding is refused",
       ok + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "bad Transfer-Encoding"},
      {"9112, 6.3, 4", "a coding that nobody decodes is refused",
       ok + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "the transfer coding is unknown"},
      {"9112, 6.3, 4", "a coding that has no end is refused", ok + "Transfer-Encoding: identity\r\n\r\nhi",
       "the transfer coding is unknown"},
      {"9112, 6.3, 5", "two lengths are refused", ok + "Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi",
       "the length is not plain"},
      {"9112, 6.3, 8", "an answer without a length goes to the end", ok + "\r\nall of it", "200 all of it"},
      {"9112, 8", "an answer that is cut short is none", ok + "Content-Length: 9\r\n\r\nhi", "partial message"},
      {"9110, 6.5.1", "a trailer is no header",
       ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Name: a\r\n\r\n", "200 hi"},
  };
  return all;
}

std::string page() {
  std::string all =
      "# Rules of HTTP\n\n"
      "The server and the client over Beast keep the rules below. Each row is a test, which sends the bytes over the\n"
      "loopback interface: [http_rules.cpp](../components/tests/http_rules.cpp) has them. This page is written by\n"
      "`BATON_BLESS=1 components_http_rules_test`, and that test fails when the page is not up to date. The numbers\n"
      "are those of the RFC and its section; a row of RFC 6454 is about a browser's header `Origin`.\n\n"
      "## The server\n\n"
      "Behind each request the test sends a good one. Where its answer is missing, the server has closed the\n"
      "connection: nothing behind a request that was refused is taken for another request.\n\n"
      "| RFC | rule | answers |\n| --- | --- | --- |\n";
  for (const server_rule& r : of_server()) {
    all += std::string("| ") + r.section + " | " + r.rule + " | " + r.answers + " |\n";
  }
  all +=
      "\n## The client\n\n"
      "A request whose method, target or header has a line end is not sent. Of the answers:\n\n"
      "| RFC | rule | outcome |\n| --- | --- | --- |\n";
  for (const client_rule& r : of_client()) {
    all += std::string("| ") + r.section + " | " + r.rule + " | " + r.outcome + " |\n";
  }
  return all;
}

}  // namespace http_rules
