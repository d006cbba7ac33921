// SPDX-License-Identifier: MIT
//
// Texts in UTF-8, whole and broken.
#include "websocket_cases.hpp"

namespace websocket_cases {

namespace {

const std::string greek = "\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5";
const std::string umlauts = "Hello-\xc2\xb5@\xc3\x9f\xc3\xb6\xc3\xa4\xc3\xbc\xc3\xa0\xc3\xa1-UTF-8!!";

/// One octet in each fragment.
std::vector<frame> by_octets(const std::string& data) {
  std::vector<frame> all;
  for (size_t i = 0; i != data.size(); ++i) {
    const unsigned end = i + 1 == data.size() ? last : 0;
    all.push_back({(i == 0 ? text_begins : 0) | end, data.substr(i, 1)});
  }
  return all;
}

dialogue text_of(std::string number, const char* rule, std::vector<frame> sent, bool is_sound) {
  dialogue one{std::move(number), "3629, 3 and 4", rule, std::move(sent), {}, {}};
  if (!is_sound) {
    one.codes = {1007};
    return one;
  }
  std::string data = "t";
  for (const frame& f : one.sent) data += f.payload;
  one.answers.push_back(std::move(data));
  return one;
}

/// Strings of one sort, each sound or not.
struct sort {
  const char* rule;
  bool are_sound;
  std::vector<std::string> all;
};

/// Each octet of a range behind a blank.
std::string lonely(unsigned from, unsigned to) {
  std::string all;
  for (unsigned c = from; c <= to; ++c) all += {static_cast<char>(c), ' '};
  return all;
}
std::string range(unsigned from, unsigned to) {
  std::string all;
  for (unsigned c = from; c <= to; ++c) all += static_cast<char>(c);
  return all;
}
/// The last two code points of each plane above the first: no characters, but UTF-8.
std::vector<std::string> no_characters() {
  std::vector<std::string> all = {"\xef\xbf\xbe", "\xef\xbf\xbf"};
  for (unsigned plane = 1; plane <= 16; ++plane) {
    for (const char end : {'\xbe', '\xbf'}) {
      all.push_back(
          {static_cast<char>(0xf0 | (plane >> 2)), static_cast<char>(0x8f | ((plane & 3) << 4)), '\xbf', end});
    }
  }
  return all;
}

std::vector<sort> sorts() {
  const std::vector<std::string> cut = {"\xc0", "\xe0\x80", "\xf0\x80\x80", "\xf8\x80\x80\x80", "\xfc\x80\x80\x80\x80",
                                        "\xdf", "\xef\xbf", "\xf7\xbf\xbf", "\xfb\xbf\xbf\xbf", "\xfd\xbf\xbf\xbf\xbf"};
  std::string all_cut;
  for (const std::string& one : cut) all_cut += one;
  return {
      {"characters of one to four octets",
       true,
       {"hello$world", "hello\xc2\xa2world", "hello\xe2\x82\xacworld", "hello\xf0\xa4\xad\xa2world", greek}},
      {"", true, {}},  // 6.6, see below
      {"the first character of each length",
       true,
       {std::string(1, '\0'), "\xc2\x80", "\xe0\xa0\x80", "\xf0\x90\x80\x80"}},
      {"there are no characters of five and six octets", false, {"\xf8\x88\x80\x80\x80", "\xfc\x84\x80\x80\x80\x80"}},
      {"the last character of each length", true, {"\x7f", "\xdf\xbf", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf"}},
      {"there is none behind it", false, {"\xf7\xbf\xbf\xbf", "\xfb\xbf\xbf\xbf\xbf", "\xfd\xbf\xbf\xbf\xbf\xbf"}},
      {"characters beside a bound", true, {"\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbd", "\xf4\x8f\xbf\xbf"}},
      {"octets that continue nothing",
       false,
       {"\x80", "\xbf", "\x80\xbf", "\x80\xbf\x80", "\x80\xbf\x80\xbf", "\x80\xbf\x80\xbf\x80",
        "\x80\xbf\x80\xbf\x80\xbf", range(0x80, 0xbf)}},
      {"first octets that nothing continues",
       false,
       {lonely(0xc0, 0xdf), lonely(0xe0, 0xef), lonely(0xf0, 0xf7), lonely(0xf8, 0xfb), lonely(0xfc, 0xfd)}},
      {"characters without their last octet", false, cut},
      {"and such characters in a row", false, {all_cut}},
      {"octets that are in no character", false, {"\xfe", "\xff", "\xfe\xfe\xff\xff"}},
      {"a longer form than there has to be, of ASCII",
       false,
       {"\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xf8\x80\x80\x80\xaf", "\xfc\x80\x80\x80\x80\xaf"}},
      {"the last of the longer forms",
       false,
       {"\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xf8\x87\xbf\xbf\xbf", "\xfc\x83\xbf\xbf\xbf\xbf"}},
      {"a longer form of NUL",
       false,
       {"\xc0\x80", "\xe0\x80\x80", "\xf0\x80\x80\x80", "\xf8\x80\x80\x80\x80", "\xfc\x80\x80\x80\x80\x80"}},
      {"one half of a pair of UTF-16",
       false,
       {"\xed\xa0\x80", "\xed\xad\xbf", "\xed\xae\x80", "\xed\xaf\xbf", "\xed\xb0\x80", "\xed\xbe\x80",
        "\xed\xbf\xbf"}},
      {"a pair of UTF-16",
       false,
       {"\xed\xa0\x80\xed\xb0\x80", "\xed\xa0\x80\xed\xbf\xbf", "\xed\xad\xbf\xed\xb0\x80", "\xed\xad\xbf\xed\xbf\xbf",
        "\xed\xae\x80\xed\xb0\x80", "\xed\xae\x80\xed\xbf\xbf", "\xed\xaf\xbf\xed\xb0\x80",
        "\xed\xaf\xbf\xed\xbf\xbf"}},
      {"code points that are no characters, and are UTF-8", true, no_characters()},
      {"specials",
       true,
       {"\xef\xbf\xb9", "\xef\xbf\xba", "\xef\xbf\xbb", "\xef\xbf\xbc", "\xef\xbf\xbd", "\xef\xbf\xbe",
        "\xef\xbf\xbf"}},
  };
}

/// A string in one frame; in one frame whose octets come one by one; in fragments of an octet; in
/// one before an empty one.
void add_forms(std::vector<dialogue>& to, const std::string& number, const char* rule, const std::string& data,
               bool is_sound) {
  to.push_back(text_of(number, rule, {{text, data}}, is_sound));
  to.push_back(text_of(number + "o", rule, {{text, data}}, is_sound));
  to.back().piece = 1;
  to.push_back(text_of(number + "f", rule, by_octets(data), is_sound));
  to.push_back(text_of(number + "e", rule, {{text_begins, data}, {last, ""}}, is_sound));
}

void add_sequences(std::vector<dialogue>& to) {
  size_t chapter = 5;
  for (const sort& s : sorts()) {
    const std::string number = "6." + std::to_string(chapter++) + ".";
    for (size_t i = 0; i != s.all.size(); ++i)
      add_forms(to, number + std::to_string(i + 1), s.rule, s.all[i], s.are_sound);
  }
  add_forms(to, "6.11.5", "there is none behind it", "\xf4\x90\x80\x80", false);
  for (size_t i = 1; i <= greek.size(); ++i) {
    const bool is_whole = i == greek.size() || (greek[i] & 0xc0) != 0x80;
    add_forms(to, "6.6." + std::to_string(i),
              is_whole ? "a text that ends with a character" : "a text that ends within a character",
              greek.substr(0, i), is_whole);
  }
}

/// A text that is broken in its middle is refused when the octet that breaks it has come.
void add_early(std::vector<dialogue>& to) {
  const std::string broken = greek + "\xf4\x90\x80\x80", rest = "edited";
  const size_t all = broken.size() + rest.size(), at = greek.size();
  const char* const rule = "a text is refused as soon as the octet has come that breaks it";
  const auto add = [&](const char* number, std::vector<frame> sent, std::vector<size_t> cuts) {
    dialogue one{number, "6455, 8.1", rule, std::move(sent), {}, {1007}};
    one.is_early = true;
    one.cuts = std::move(cuts);
    to.push_back(std::move(one));
  };
  add("6.4.1", {{text_begins, greek}, {middle, broken.substr(at)}, {last, rest}}, {});
  add("6.4.2",
      {{text_begins, broken.substr(0, at + 1)},
       {middle, broken.substr(at + 1, 1)},
       {last, broken.substr(at + 2) + rest}},
      {});
  add("6.4.3", {{text, broken + rest}}, {all - at, rest.size()});
  add("6.4.4", {{text, broken + rest}}, {all - at - 1, all - at - 2});
}

}  // namespace

void add_texts(std::vector<dialogue>& to) {
  const char* const empty = "a text may be empty, and so may its fragments";
  to.push_back(text_of("6.1.1", empty, {{text, ""}}, true));
  to.push_back(text_of("6.1.2", empty, {{text_begins, ""}, {middle, ""}, {last, ""}}, true));
  to.push_back(text_of("6.1.3", empty, {{text_begins, ""}, {middle, "middle"}, {last, ""}}, true));
  const char* const anywhere = "a text may be cut anywhere";
  to.push_back(text_of("6.2.1", anywhere, {{text, umlauts}}, true));
  to.push_back(text_of("6.2.2", anywhere, {{text_begins, umlauts.substr(0, 14)}, {last, umlauts.substr(14)}}, true));
  to.push_back(text_of("6.2.3", anywhere, by_octets(umlauts), true));
  to.push_back(text_of("6.2.4", anywhere, by_octets(greek), true));
  const std::string half = greek + "\xed\xa0\x80" + "edited";
  to.push_back(text_of("6.3.1", "a text that is broken in its middle", {{text, half}}, false));
  to.push_back(text_of("6.3.2", "a text that is broken in its middle", by_octets(half), false));
  add_early(to);
  add_sequences(to);
}

}  // namespace websocket_cases
