// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

/// The rules of HTTP that the server and the client keep, each with the bytes that test it. The
/// table of docs/http-rules.md is written from them.
namespace http_rules {

/// A rule for the server. It gets `request`, and behind it a good request that asks for the end of
/// the connection: it answers that one only where the connection may go on.
///
/// Shape    `answers` are the status codes, in their order; the last one is the good request's.
///          `says` is a part of all that the server sends, and `conceals` is none.
struct server_rule {
  const char* section;
  const char* rule;
  std::string request;
  const char* answers;
  std::string says;
  std::string conceals;
};

/// A rule for the client, which gets `answer` from a server.
struct client_rule {
  const char* section;
  const char* rule;
  std::string answer;
  const char* outcome;  ///< a status code and a body, or the reason that there is none
};

const std::vector<server_rule>& of_server();
const std::vector<client_rule>& of_client();

/// The good request.
const std::string& probe();

/// The status codes in a text.
std::string codes_in(const std::string& text);

/// True if what a server has sent for a rule says and conceals what the rule wants.
bool has_words_of(const server_rule& r, const std::string& all);

/// The text of docs/http-rules.md.
std::string page();

}  // namespace http_rules
