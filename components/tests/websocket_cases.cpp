// SPDX-License-Identifier: MIT
//
// Framing, pings and pongs, reserved bits and kinds, fragments.
#include "websocket_cases.hpp"

namespace websocket_cases {

static const std::string hello = "Hello, world!";

std::string code_of(unsigned code) {
  return {static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
}

/// ---- 1: framing ----

static void add_lengths(std::vector<dialogue>& to) {
  const size_t lengths[] = {0, 125, 126, 127, 128, 65535, 65536, 65536};
  for (const bool is_text : {true, false}) {
    for (size_t i = 0; i != 8; ++i) {
      const std::string data(lengths[i], is_text ? '*' : '\xfe');
      to.push_back({(is_text ? "1.1." : "1.2.") + std::to_string(i + 1),
                    "6455, 5.2",
                    is_text ? "a text of any length, in each form of the length" : "and so is a binary message",
                    {{is_text ? text : binary, data}},
                    {(is_text ? "t" : "b") + data},
                    {},
                    i == 7 ? 997 : whole});
    }
  }
}

/// ---- 2: pings and pongs ----

static void add_pings(std::vector<dialogue>& to) {
  const std::string most(125, '\xfe');
  const char* const rule = "a ping is answered by a pong with its payload";
  to.push_back({"2.1", "6455, 5.5.2", rule, {{ping, ""}}, {"o"}, {}});
  to.push_back({"2.2", "6455, 5.5.2", rule, {{ping, hello}}, {"o" + hello}, {}});
  const std::string no_text("\0\xff\xfe\xfd\xfc\xfb\0\xff", 8);
  to.push_back({"2.3", "6455, 5.5.2", rule, {{ping, no_text}}, {"o" + no_text}, {}});
  to.push_back({"2.4", "6455, 5.5.2", rule, {{ping, most}}, {"o" + most}, {}});
  to.push_back({"2.5", "6455, 5.5", "a ping of 126 octets is too long", {{ping, most + "\xfe"}}, {}, {1002}});
  to.push_back({"2.6", "6455, 5.5.2", rule, {{ping, most}}, {"o" + most}, {}, 1});
  const char* const unasked = "a pong that nobody has asked for is ignored";
  to.push_back({"2.7", "6455, 5.5.3", unasked, {{pong, ""}}, {}, {}});
  to.push_back({"2.8", "6455, 5.5.3", unasked, {{pong, "unasked"}}, {}, {}});
  to.push_back({"2.9", "6455, 5.5.3", unasked, {{pong, "unasked"}, {ping, "asked"}}, {"oasked"}, {}});
  for (const bool is_in_octets : {false, true}) {
    dialogue ten{is_in_octets ? "2.11" : "2.10", "6455, 5.5.2", "ten pings in a row are all answered", {}, {}, {}};
    for (int i = 0; i != 10; ++i) {
      ten.sent.push_back({ping, "ping " + std::to_string(i)});
      ten.answers.push_back("oping " + std::to_string(i));
    }
    ten.piece = is_in_octets ? 1 : whole;
    to.push_back(std::move(ten));
  }
}

/// ---- 3: reserved bits ----

static void add_reserved_bits(std::vector<dialogue>& to) {
  const char* const rule = "a reserved bit that no extension has given a meaning is refused";
  const auto add = [&](const char* number, std::vector<frame> sent, size_t piece = whole) {
    const bool has_first = sent.size() > 1;
    std::vector<std::string> answers;
    if (has_first) answers.push_back("t" + hello);
    to.push_back({number, "6455, 5.2", rule, std::move(sent), std::move(answers), {1002}, piece, has_first});
  };
  add("3.1", {{text | 0x10, hello}});
  add("3.2", {{text, hello}, {text | 0x20, hello}, {ping, ""}});
  add("3.3", {{text, hello}, {text | 0x30, hello}, {ping, ""}}, by_frame);
  add("3.4", {{text, hello}, {text | 0x40, hello}, {ping, ""}}, 1);
  add("3.5", {{binary | 0x50, std::string("\0\xff\xfe", 3)}});
  add("3.6", {{ping | 0x60, hello}});
  add("3.7", {{closing | 0x70, ""}});
}

/// ---- 4: kinds ----

static void add_kinds(std::vector<dialogue>& to) {
  for (const bool is_control : {false, true}) {
    const char* const rule =
        is_control ? "a control frame of a reserved kind is refused" : "a data frame of a reserved kind is refused";
    for (unsigned i = 0; i != 5; ++i) {
      const unsigned kind = last | ((is_control ? 11 : 3) + i);
      dialogue one{(is_control ? "4.2." : "4.1.") + std::to_string(i + 1), "6455, 5.2", rule, {}, {}, {1002}};
      one.may_be_mute = i >= 2;
      if (i >= 2) {
        one.sent.push_back({text, hello});
        one.answers.push_back("t" + hello);
      }
      one.sent.push_back({kind, i == 0 || i == 2 ? "" : "of a reserved kind"});
      if (i >= 2) one.sent.push_back({ping, ""});
      one.piece = i == 4 ? 1 : whole;
      to.push_back(std::move(one));
    }
  }
}

/// ---- 5: fragments ----

static void add_wrong_fragments(std::vector<dialogue>& to) {
  const char* const control = "a control frame in fragments is refused";
  to.push_back({"5.1", "6455, 5.4", control, {{ping & 15, "one"}, {last, "two"}}, {}, {1002}});
  to.push_back({"5.2", "6455, 5.4", control, {{pong & 15, "one"}, {last, "two"}}, {}, {1002}});
  const char* const nothing = "a fragment that goes on with nothing is refused";
  const size_t pieces[] = {whole, by_frame, 1};
  for (size_t i = 0; i != 6; ++i) {
    to.push_back({"5." + std::to_string(9 + i),
                  "6455, 5.4",
                  nothing,
                  {{i < 3 ? last : middle, "of nothing"}, {text, hello}},
                  {},
                  {1002},
                  pieces[i % 3]});
  }
  to.push_back({"5.15",
                "6455, 5.4",
                nothing,
                {{text_begins, "one "}, {last, "two"}, {middle, "three"}, {text, "four"}},
                {"tone two"},
                {1002},
                whole,
                true});
  for (const unsigned begins : {middle, last}) {
    dialogue twice{begins == middle ? "5.16" : "5.17", "6455, 5.4", nothing, {}, {}, {1002}};
    for (int i = 0; i != 2; ++i) {
      twice.sent.push_back({begins, "one"});
      twice.sent.push_back({text_begins, "two"});
      twice.sent.push_back({last, "three"});
    }
    to.push_back(std::move(twice));
  }
  to.push_back({"5.18",
                "6455, 5.4",
                "a message that begins within another one is refused",
                {{text_begins, "one"}, {text, "two"}},
                {},
                {1002}});
}

static void add_fragments(std::vector<dialogue>& to) {
  const size_t pieces[] = {whole, by_frame, 1};
  for (size_t i = 0; i != 3; ++i) {
    to.push_back({"5." + std::to_string(3 + i),
                  "6455, 5.4",
                  "fragments are one message",
                  {{text_begins, "one "}, {last, "two"}},
                  {"tone two"},
                  {},
                  pieces[i]});
  }
  for (size_t i = 0; i != 3; ++i) {
    to.push_back({"5." + std::to_string(6 + i),
                  "6455, 5.4",
                  "a ping between fragments is answered before the message ends",
                  {{text_begins, "one "}, {ping, "there?"}, {last, "two"}},
                  {"othere?", "tone two"},
                  {},
                  pieces[i]});
  }
  for (size_t i = 0; i != 2; ++i) {
    to.push_back({"5." + std::to_string(19 + i),
                  "6455, 5.4",
                  "a ping between fragments is answered before the message ends",
                  {{text_begins, "one "},
                   {middle, "two "},
                   {ping, "first", 1},
                   {middle, "three "},
                   {middle, "four "},
                   {ping, "second", 2},
                   {last, "five"}},
                  {"ofirst", "osecond", "tone two three four five"},
                  {},
                  pieces[i]});
  }
}

void add_frames(std::vector<dialogue>& to) {
  add_lengths(to);
  add_pings(to);
  add_reserved_bits(to);
  add_kinds(to);
  add_fragments(to);
  add_wrong_fragments(to);
}

/// ---- All ----

const std::vector<dialogue>& dialogues() {
  static const std::vector<dialogue> all = [] {
    std::vector<dialogue> to;
    add_frames(to);
    add_texts(to);
    add_closes(to);
    add_limits(to);
    add_compressed(to);
    return to;
  }();
  return all;
}

}  // namespace websocket_cases
