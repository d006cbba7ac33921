// SPDX-License-Identifier: MIT
//
// The samples to compress, and the page that the table is written to.
#include <algorithm>
#include <map>
#include <set>

#include "websocket_cases.hpp"

namespace websocket_cases {

/// ---- Samples ----

bool is_text(unsigned kind) {
  return kind == 0;
}

static uint32_t draw(uint32_t& seed) {
  seed = seed * 1664525 + 1013904223;
  return seed >> 8;
}

/// The next piece of a kind.
static std::string piece_of(unsigned kind, uint32_t& seed) {
  static const char* const words[] = {"the ", "baton ", "is ",    "passed ", "on ",
                                      "and ", "who ",   "waits ", "runs ",   "next. "};
  const uint32_t n = draw(seed);
  if (kind == 0)
    return "{\"id\": " + std::to_string(n % 1000) +
           ", \"name\": \"M\xc3\xbcller\", \"price\": " + std::to_string(n % 97) + ".5},\n";
  if (kind == 1) return std::string(1 + n % 7, static_cast<char>(n >> 4 & 0xf0));
  if (kind == 2) return words[n % 10];
  if (kind == 3) return "<tr><td class=\"k" + std::to_string(n % 5) + "\">" + words[n % 10] + "</td></tr>\n";
  return std::string(1, static_cast<char>(n >> 4));
}

std::string sample(unsigned kind, size_t from, size_t bytes) {
  static std::map<unsigned, std::string> known;
  std::string& all = known[kind];
  for (uint32_t seed = kind + 1; all.size() < (200u << 10);) {
    if (all.empty()) seed = kind + 1;
    all += piece_of(kind, seed);
  }
  std::string some = all.substr(from % (all.size() / 2), bytes);
  if (!is_text(kind)) return some;
  // No character is cut: those of two octets are between letters.
  if ((some.front() & 0xc0) == 0x80) some.front() = '*';
  if ((some.back() & 0xc0) == 0xc0) some.back() = '*';
  return some;
}

/// ---- Page ----

namespace {

/// A number as "+6.5.1f": the part up to the last point, the number behind it, and a letter.
struct parts {
  std::string chapter;
  int last = 0;
  std::string letter;
};
parts parts_of(const std::string& number) {
  const size_t point = number.rfind('.') + 1;
  const size_t end = number.find_first_not_of("0123456789", point);
  return {number.substr(0, point), std::stoi(number.substr(point)), end == std::string::npos ? "" : number.substr(end)};
}

/// "1.1.1 to 1.1.8, 2.1", and the letters of further forms.
std::string list_of(const std::vector<std::string>& numbers) {
  std::vector<std::string> plain;
  std::set<std::string> letters;
  for (const std::string& n : numbers) {
    const std::string letter = parts_of(n).letter;
    letter.empty() ? plain.push_back(n) : static_cast<void>(letters.insert(letter));
  }
  std::string all;
  for (size_t i = 0; i != plain.size();) {
    size_t end = i + 1;
    const parts first = parts_of(plain[i]);
    for (; end != plain.size(); ++end) {
      const parts next = parts_of(plain[end]);
      if (next.chapter != first.chapter || next.last != first.last + static_cast<int>(end - i)) break;
    }
    all += (all.empty() ? "" : ", ") + plain[i];
    if (end - i > 1) all += (end - i == 2 ? ", " : " to ") + plain[end - 1];
    i = end;
  }
  for (const std::string& letter : letters) all += (letter == *letters.begin() ? "; each also " : ", ") + letter;
  return all;
}

std::string codes_of(const dialogue& c) {
  std::string all;
  for (size_t i = 0; i != c.codes.size(); ++i) {
    const bool is_its_own = std::any_of(c.sent.begin(), c.sent.end(), [&](const frame& f) {
      return f.first == closing && f.payload.substr(0, 2) == code_of(c.codes[i]);
    });
    const std::string code = is_its_own ? "its code" : c.codes[i] == 1005 ? "no code" : std::to_string(c.codes[i]);
    all += (i == 0 ? "" : i + 1 == c.codes.size() ? " or " : ", ") + code;
  }
  return all;
}

std::string result_of(const dialogue& c) {
  std::string all;
  if (std::any_of(c.answers.begin(), c.answers.end(), [](const auto& a) { return a[0] == 'o'; })) all = "pong";
  if (std::any_of(c.answers.begin(), c.answers.end(), [](const auto& a) { return a[0] != 'o'; })) {
    all += (all.empty() ? "" : ", and ") + std::string("sent back");
  }
  if (c.codes.empty()) return all.empty() ? "no answer" : all;
  if (c.may_be_mute) all += " or not";
  return (all.empty() ? "" : all + ", then ") + "closed with " + codes_of(c);
}

struct row {
  std::string section, rule, result;
  std::vector<std::string> numbers;
};

/// Adds a case to the row of its rule.
void add_to(std::vector<row>& rows, const row& one) {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const row& r) {
    return r.section == one.section && r.rule == one.rule && r.result == one.result;
  });
  if (at == rows.end()) {
    rows.push_back(one);
  } else {
    at->numbers.push_back(one.numbers[0]);
  }
}

int category_of(const std::string& number) {
  return std::stoi(number.substr(number[0] == '+' ? 1 : 0));
}

struct chapter {
  const char* title;
  std::vector<row> rows;
};
using chapters = std::map<int, chapter>;

chapters all_rows() {
  chapters all = {{1, {"framing", {}}},
                  {2, {"pings and pongs", {}}},
                  {3, {"reserved bits", {}}},
                  {4, {"kinds", {}}},
                  {5, {"fragments", {}}},
                  {6, {"UTF-8", {}}},
                  {7, {"closing", {}}},
                  {9, {"limits", {}}},
                  {10, {"fragments of the suite's own", {}}},
                  {12, {"compression", {}}},
                  {13, {"agreements about compression", {}}}};
  const auto add = [&](const std::string& number, const char* section, const char* rule, const std::string& result) {
    add_to(all[category_of(number)].rows, {section, rule, result, {number}});
  };
  for (const dialogue& c : dialogues()) add(c.number, c.section, c.rule, result_of(c));
  for (const stream& s : streams()) add(s.number, s.section, s.rule, "sent back");
  for (const agreement_case& a : offers()) {
    add(a.number, "7692, 7.1", a.rule, *a.outcome ? "`" + std::string(a.outcome) + "`" : "declined");
  }
  for (const agreement_case& a : agreements()) add(a.number, "7692, 7.1", a.rule, a.outcome);
  return all;
}

const char* const head =
    "# The cases of the public test suite for WebSocket\n\n"
    "The cases of the Autobahn test suite, which servers and clients of WebSocket are commonly held to, are tests of\n"
    "the server and of the client over Beast. The facts are the suite's, and its numbers name the cases; the tests "
    "are\n"
    "our own. They are in [websocket_cases.cpp](../components/tests/websocket_cases.cpp) and the files beside it, and\n"
    "`components_websocket_cases_test` plays each of them against the server and against the client, over the "
    "loopback\n"
    "interface. `BATON_BLESS=1 components_websocket_cases_test` writes this page, and that test fails when the page is "
    "not\n"
    "up to date.\n\n"
    "A number with `+` is a case that the suite does not have. `6.5.1o` is the case 6.5.1 whose octets come one by "
    "one,\n"
    "`6.5.1f` the one in fragments of an octet, and `6.5.1e` the one before an empty fragment. Sizes and counts are "
    "smaller\n"
    "than the suite's: a message has at most 2 MB, and 50 messages are sent one after the other, of those that are\n"
    "compressed two or four. Case 9.9.1, which the suite itself leaves out, is left out.\n\n"
    "`sent back` is the answer of an echo; the tester then closes with 1000, and has to be answered so. `or not`: the "
    "rest is\n"
    "refused so early that the echo may be missing, which the suite calls non-strict.\n";

/// The number of cases, of the suite and of ours.
std::string counts(const chapters& all) {
  std::string text = "\n| category | of the suite | of ours |\n| --- | --- | --- |\n";
  size_t of_suite = 0, of_ours = 0;
  for (const auto& [number, c] : all) {
    size_t known = 0, own = 0;
    for (const row& r : c.rows) {
      for (const std::string& n : r.numbers) ++(n[0] == '+' || !parts_of(n).letter.empty() ? own : known);
    }
    text += "| " + std::to_string(number) + ": " + c.title + " | " + std::to_string(known) + " | " +
            std::to_string(own) + " |\n";
    of_suite += known;
    of_ours += own;
  }
  return text + "| all | " + std::to_string(of_suite) + " | " + std::to_string(of_ours) + " |\n";
}

}  // namespace

std::string page() {
  const chapters all = all_rows();
  std::string text = head + counts(all);
  for (const auto& [number, c] : all) {
    text += "\n## " + std::to_string(number) + ": " + c.title +
            "\n\n| RFC | requirement | cases | result |\n| --- | --- | --- | --- |\n";
    for (const row& r : c.rows)
      text += "| " + r.section + " | " + r.rule + " | " + list_of(r.numbers) + " | " + r.result + " |\n";
  }
  return text;
}

}  // namespace websocket_cases
