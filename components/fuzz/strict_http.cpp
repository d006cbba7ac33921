// SPDX-License-Identifier: MIT
#include "strict_http.hpp"

#include <algorithm>
#include <optional>

#include "strict_message.hpp"

namespace http_fuzz {

namespace {

struct first_line {
  strict_request what;
  bool is_one_zero = false;
  bool is_absolute = false;
};

/// Makes an absolute target its path and its host.
void resolve(first_line& f) {
  std::string& target = f.what.target;
  const size_t scheme = target.find("://");
  const std::string name = in_small_letters(target.substr(0, scheme));
  f.is_absolute = scheme != std::string::npos && (name == "http" || name == "https");
  if (!f.is_absolute) return;
  const size_t end = std::min(target.find_first_of("/?", scheme + 3), target.size());
  f.what.host = target.substr(scheme + 3, end - scheme - 3);
  target.erase(0, end);
  if (target.empty() && f.what.method == "OPTIONS") target = "*";
  if (target.empty() || target[0] == '?') target.insert(0, "/");
}

/// Reads a first line whose target has one of the forms of a request to a server.
std::optional<first_line> first_line_of(std::string_view line) {
  const size_t one = line.find(' ');
  const size_t two = one == std::string_view::npos ? one : line.find(' ', one + 1);
  if (two == std::string_view::npos) return std::nullopt;
  const std::string_view method = line.substr(0, one), target = line.substr(one + 1, two - one - 1);
  const std::string_view version = line.substr(two + 1);
  if (!is_token(method) || target.empty() || (version != "HTTP/1.1" && version != "HTTP/1.0")) return std::nullopt;
  const bool is_visible =
      std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c < 127 && c != '#'; });
  if (!is_visible) return std::nullopt;
  first_line all{{std::string(method), std::string(target), {}, {}}, version == "HTTP/1.0", false};
  resolve(all);
  const bool is_of_server = all.what.target == "*" && method == "OPTIONS";
  return is_of_server || all.what.target[0] == '/' ? std::optional(all) : std::nullopt;
}

/// True for a name or an address, with a port or without.
bool is_host(std::string_view s) {
  const size_t bracket = s.rfind(']');
  const size_t colon = s.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const std::string_view port = colon == std::string_view::npos ? "" : s.substr(colon + 1);
  const std::string_view name = s.substr(0, colon);
  const auto is_of_name = [](char c) {
    return is_token({&c, 1}) || std::string_view("()=;,[]:").find(c) != std::string_view::npos;
  };
  return std::all_of(name.begin(), name.end(), is_of_name) && (port.empty() || number_of(port, 10));
}

/// Takes the host from the header. false: it must be refused.
bool take_host(first_line& f, const headers& fields) {
  const std::vector<std::string> hosts = values_of(fields, "host");
  if (hosts.size() > 1 || (hosts.empty() && !f.is_one_zero)) return false;
  if (!hosts.empty() && !is_host(hosts[0])) return false;
  if (!f.is_absolute && !hosts.empty()) f.what.host = hosts[0];
  return is_host(f.what.host);
}

bool has_body(int code, const std::string& method) {
  return method != "HEAD" && code != 204 && code != 304;
}

}  // namespace

std::vector<strict_request> requests_of(std::string_view text) {
  std::vector<strict_request> all;
  bytes from(text);
  for (;;) {
    from.skip_empty_lines();
    const auto line = from.line();
    auto first = line ? first_line_of(*line) : std::nullopt;
    const auto fields = first ? read_headers(from) : std::nullopt;
    if (!fields || !take_host(*first, *fields)) return all;
    auto body = read_body(from, *fields, first->is_one_zero);
    if (!body) return all;
    first->what.body = std::move(*body);
    all.push_back(first->what);
    const bool stays = !first->is_one_zero || has_word(*fields, "connection", "keep-alive");
    if (!stays || has_word(*fields, "connection", "close")) return all;
  }
}

strict_answers answers_of(std::string_view text, const std::vector<strict_request>& to) {
  strict_answers found;
  bytes from(text);
  while (!from.is_empty()) {
    const auto line = from.line();
    const bool is_status = line && line->size() >= 13 && line->starts_with("HTTP/1.1 ") && (*line)[12] == ' ';
    const auto code = is_status ? number_of(line->substr(9, 3), 10) : std::nullopt;
    const auto fields = code ? read_headers(from) : std::nullopt;
    if (!fields) return {std::move(found.all), "the head of an answer is not sound"};
    if (*code < 200) continue;
    if (!found.all.empty() && found.all.back().is_last) return {std::move(found.all), "an answer follows the last one"};
    strict_answer one{static_cast<int>(*code), has_word(*fields, "connection", "close"), {}};
    const size_t index = found.all.size();
    const bool may_be_head = index >= to.size() && from.is_empty();  // a request that is not sound
    if (!may_be_head && has_body(one.code, index < to.size() ? to[index].method : "")) {
      if (values_of(*fields, "content-length").size() != 1) return {std::move(found.all), "an answer has no length"};
      auto body = read_body(from, *fields, false);
      if (!body) return {std::move(found.all), "the body of an answer is cut short"};
      one.body = std::move(*body);
    }
    found.all.push_back(std::move(one));
  }
  return found;
}

}  // namespace http_fuzz
