// SPDX-License-Identifier: MIT
#include "json_documents.hpp"

#include <utility>

using namespace std::string_view_literals;

namespace json_fuzz {

namespace {

constexpr std::string_view good_pieces[] = {"a",
                                            "five hundred",
                                            "\\u00e4",
                                            "\\ud83d\\ude42",
                                            "\\n",
                                            "\\\"",
                                            "\\/",
                                            "\\\\",
                                            "\xc3\xa4",
                                            "\xe2\x82\xac",
                                            "\xf0\x9f\x99\x82",
                                            "\xed\x9f\xbf",
                                            "\xee\x80\x80",
                                            "\xf4\x8f\xbf\xbf",
                                            "\\u0000",
                                            "\x7f",
                                            "0123456789012345678901234567890123456789"};
constexpr std::string_view bad_pieces[] = {"\\ud800",
                                           "\\ude42",
                                           "\\udc00\\ud800",
                                           "\\ud83d\\ud83d",
                                           "\xed\xa0\x80",
                                           "\xc0\xaf",
                                           "\xe0\x9f\xbf",
                                           "\xf0\x8f\xbf\xbf",
                                           "\xf4\x90\x80\x80",
                                           "\xf5\x80\x80\x80",
                                           "\xe2\x82",
                                           "\x1f",
                                           "\0"sv,
                                           "\\x",
                                           "\\u12g4",
                                           "\xff"};
constexpr std::string_view whole_numbers[] = {"0",
                                              "-0",
                                              "1",
                                              "-1",
                                              "7",
                                              "10",
                                              "99",
                                              "127",
                                              "128",
                                              "-128",
                                              "-129",
                                              "255",
                                              "65535",
                                              "65536",
                                              "2147483647",
                                              "2147483648",
                                              "-2147483648",
                                              "-2147483649",
                                              "9223372036854775807",
                                              "9223372036854775808",
                                              "-9223372036854775808",
                                              "18446744073709551615"};
constexpr std::string_view odd_numbers[] = {"1.5",
                                            "1e3",
                                            "-1.5e-7",
                                            "0.1",
                                            "5e-324",
                                            "2.2250738585072011e-308",
                                            "1.7976931348623157e308",
                                            "1e999",
                                            "-1e999",
                                            "1e-999",
                                            "-1e-400",
                                            "0e999",
                                            "0.0000001e-320",
                                            "1e+5",
                                            "0e5",
                                            "-0.0",
                                            "9007199254740993.0",
                                            "-9223372036854775809",
                                            "18446744073709551616",
                                            "98765432109876543210",
                                            "1e19",
                                            "1e99999999999"};
constexpr std::string_view bad_numbers[] = {"01", "1.",  ".5",  "1e",       "1e+",  "+1",  "-",
                                            "00", "-01", "NaN", "Infinity", "0x10", "1.e5"};
constexpr std::string_view words[] = {"true", "false", "null", "1"};
constexpr std::string_view marks[] = {"\xef\xbb\xbf", "\xef\xbb", "\xef", "\xbb", "\xbf", "\xff\xfe", "\0"sv};

}  // namespace

std::string documents::blanks() {
  std::string all;
  while (dice_.one_in(9)) all += " \n\r\t"[dice_.below(4)];
  return all;
}

std::string documents::text() {
  std::string all = "\"";
  for (uint32_t left = dice_.below(4); left != 0; --left)
    all += dice_.one_in(40) ? dice_.any_of(bad_pieces) : dice_.any_of(good_pieces);
  return all + "\"";
}

std::string documents::number() {
  if (dice_.one_in(60)) return std::string(dice_.any_of(bad_numbers));
  if (dice_.one_in(6)) return std::string(dice_.any_of(odd_numbers));
  if (!dice_.one_in(4)) return std::string(dice_.any_of(whole_numbers));
  std::string all = (dice_.one_in(2) ? "-" : "") + std::to_string(dice_.below(1u << 30));
  if (dice_.one_in(2)) all += "." + std::to_string(dice_.below(1u << 30)) + std::to_string(dice_.below(1u << 30));
  if (dice_.one_in(2)) all += (dice_.one_in(2) ? "e-" : "E") + std::to_string(dice_.below(40));
  return all;
}

std::string documents::any(unsigned depth) {
  const uint32_t kind = dice_.below(depth > 5 ? 4 : 6);
  if (kind == 0) return number();
  if (kind == 1) return text();
  if (kind < 4) return std::string(dice_.any_of(words));
  const bool is_object = kind == 4;
  std::string all = is_object ? "{" : "[";
  for (uint32_t i = 0, n = dice_.below(4); i != n; ++i) {
    if (i != 0) all += blanks() + "," + blanks();
    if (is_object) all += text() + blanks() + ":" + blanks();
    all += any(depth + 1);
  }
  return all + blanks() + (is_object ? "}" : "]");
}

std::string documents::mostly(std::string_view good) {
  if (dice_.one_in(30)) return any(0);
  return dice_.one_in(6) ? number() : std::string(good);
}

std::string documents::lines() {
  std::string all = "[";
  for (uint32_t i = 0, n = dice_.below(3); i != n; ++i) {
    all +=
        (i != 0 ? ",{" : "{") + std::string("\"text\":") + text() + "," + blanks() + "\"indent\":" + mostly("5") + "}";
  }
  return all + "]";
}

std::vector<std::string> documents::members() {
  std::vector<std::string> all;
  const auto add = [&](std::string_view name, std::string value, uint32_t missing_in) {
    if (dice_.one_in(missing_in)) return;
    all.push_back("\"" + std::string(name) + "\"" + blanks() + ":" + blanks() + std::move(value));
  };
  add("name", dice_.one_in(30) ? any(0) : text(), 80);
  add("is_urgent", mostly("true"), 80);
  add("number", mostly("-12"), 80);
  add("id", mostly("7"), 80);
  add("offset", mostly("-5"), 80);
  add("weight", dice_.one_in(2) ? number() : mostly("0.25"), 80);
  add("lines", dice_.one_in(30) ? any(0) : lines(), 80);
  add("note", dice_.one_in(2) ? "null" : text(), 2);
  add("table", dice_.one_in(20) ? any(0) : "[[],[1,65535],[" + mostly("0") + "]]", 80);
  if (dice_.one_in(4)) add("extra", any(0), 9);
  if (dice_.one_in(9)) all.push_back(text() + ":" + any(0));
  if (dice_.one_in(20)) add("n\\u0061me", "\"x\"", 9);
  if (dice_.one_in(20)) add("id", number(), 9);
  return all;
}

std::string documents::document() {
  std::vector<std::string> all = members();
  if (dice_.one_in(3)) {
    for (size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[dice_.below(static_cast<uint32_t>(i))]);
  }
  std::string text = blanks();
  if (dice_.one_in(100)) text.insert(0, dice_.any_of(marks));
  text += "{" + blanks();
  for (size_t i = 0; i != all.size(); ++i) text += (i != 0 ? "," : "") + blanks() + all[i] + blanks();
  text += "}" + blanks();
  if (dice_.one_in(100)) text += dice_.any_of(marks);
  return text;
}

std::string documents::mutated(std::string text) {
  static constexpr std::string_view likely = "{}[]\",:\\0123456789-+.eEtfnu \x00\x1f\x7f\x80\xc3\xed\xa0\xf0\xff"sv;
  const auto place = [&] { return dice_.below(static_cast<uint32_t>(text.size() + 1)); };
  for (uint32_t left = 1 + dice_.below(4); left != 0; --left) {
    const size_t at = place(), length = 1 + dice_.below(12);
    const char byte = likely[dice_.below(likely.size())];
    switch (dice_.below(5)) {
      case 0:
        text.insert(at, 1, byte);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(place(), text.substr(at, length));
        break;
      case 3:
        text.insert(at, 1 + dice_.below(20), dice_.one_in(2) ? '[' : '9');
        break;
      default:
        if (at < text.size()) text[at] = byte;
        break;
    }
  }
  return text;
}

}  // namespace json_fuzz
