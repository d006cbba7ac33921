// SPDX-License-Identifier: MIT
//
// Closes, and what is large.
#include <algorithm>

#include "websocket_cases.hpp"

namespace websocket_cases {

static const std::string hello = "Hello, world!";
static const std::string normal = code_of(1000);

/// ---- 7: closing ----

static void add_orders(std::vector<dialogue>& to) {
  const char* const rule = "what follows a close is ignored";
  to.push_back({"7.1.1", "6455, 5.5.1", "a close behind a message", {{text, hello}}, {"t" + hello}, {}});
  to.push_back({"7.1.2", "6455, 5.5.1", rule, {{closing, normal}, {closing, ""}}, {}, {1000}});
  to.push_back({"7.1.3", "6455, 5.5.1", rule, {{closing, normal}, {ping, ""}}, {}, {1000}});
  to.push_back({"7.1.4", "6455, 5.5.1", rule, {{closing, normal}, {text, hello}}, {}, {1000}});
  to.push_back({"7.1.5", "6455, 5.5.1", rule, {{text_begins, "one"}, {closing, normal}, {last, "two"}}, {}, {1000}});
  const std::string large(64u << 10, 'l');
  to.push_back({"7.1.6",
                "6455, 5.5.1",
                "a close in a hurry may come before the answer to a message",
                {{text, large}, {text, hello}, {closing, normal}, {ping, ""}},
                {"t" + large, "t" + hello},
                {1000},
                whole,
                true});
}

static void add_payloads(std::vector<dialogue>& to) {
  const char* const sound = "a close may have a code, and behind it a reason";
  to.push_back({"7.3.1", "6455, 5.5.1", "a close may be empty", {{closing, ""}}, {}, {1000, 1005}});
  to.push_back({"7.3.2", "6455, 5.5.1", "a close of one octet is refused", {{closing, "a"}}, {}, {1002}});
  to.push_back({"7.3.3", "6455, 5.5.1", sound, {{closing, normal}}, {}, {1000}});
  to.push_back({"7.3.4", "6455, 5.5.1", sound, {{closing, normal + hello}}, {}, {1000}});
  to.push_back({"7.3.5", "6455, 5.5.1", sound, {{closing, normal + std::string(123, '*')}}, {}, {1000}});
  to.push_back({"7.3.6",
                "6455, 5.5",
                "a close of 126 octets is too long",
                {{closing, normal + std::string(124, '*')}},
                {},
                {1002}});
  to.push_back({"7.5.1",
                "6455, 5.5.1",
                "a reason that is not UTF-8 is refused",
                {{closing, normal + "\xce\xba\xed\xa0\x80" + "edited"}},
                {},
                {1002, 1007}});
  to.push_back({"+7.5.2",
                "6455, 5.5.1",
                "and so is one that ends within a character",
                {{closing, normal + "\xce\xba\xe1\xbd"}},
                {},
                {1002, 1007}});
}

static void add_codes(std::vector<dialogue>& to) {
  const unsigned sound[] = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999};
  const unsigned wrong[] = {0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999};
  for (const unsigned& code : sound) {
    dialogue one{"7.7." + std::to_string(&code - sound + 1),
                 "6455, 7.4",
                 "a code that has a meaning is answered",
                 {{closing, code_of(code)}},
                 {},
                 {static_cast<uint16_t>(code)}};
    to.push_back(std::move(one));
  }
  for (const unsigned& code : wrong) {
    to.push_back({"7.9." + std::to_string(&code - wrong + 1),
                  "6455, 7.4",
                  "a code that must not be sent is refused",
                  {{closing, code_of(code)}},
                  {},
                  {1002}});
  }
  to.push_back(
      {"+7.9.10", "6455, 7.4", "a code that must not be sent is refused", {{closing, code_of(1015)}}, {}, {1002}});
  for (const unsigned code : {1012u, 1013u}) {
    to.push_back({"+7.7." + std::to_string(code - 1012 + 14),
                  "6455, 7.4",
                  "a code that has a meaning is answered",
                  {{closing, code_of(code)}},
                  {},
                  {static_cast<uint16_t>(code)}});
  }
  to.push_back({"+7.7.16",
                "6455, 7.4",
                "1014, which was given a meaning later, and which Beast refuses",
                {{closing, code_of(1014)}},
                {},
                {1002}});
  const unsigned unknown[] = {5000, 65535};
  for (const unsigned& code : unknown) {
    to.push_back({"7.13." + std::to_string(&code - unknown + 1),
                  "6455, 7.4",
                  "a code outside the registry is answered or refused",
                  {{closing, code_of(code)}},
                  {},
                  {static_cast<uint16_t>(code), 1000, 1002}});
  }
}

void add_closes(std::vector<dialogue>& to) {
  add_orders(to);
  add_payloads(to);
  add_codes(to);
}

/// ---- 9: limits ----

/// A message of a pattern that repeats.
static std::string repeated(const std::string& pattern, size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += pattern;
  all.resize(bytes);
  return all;
}
static const std::string& pattern_of(bool is_text) {
  static const std::string of_text = "BAsd7&jh23", of_binary("\0\xfe\x23\xfa\xf0", 5);
  return is_text ? of_text : of_binary;
}

std::vector<frame> fragments(unsigned kind, const std::string& data, size_t bytes) {
  std::vector<frame> all;
  for (size_t at = 0; at == 0 || at < data.size(); at += bytes) {
    const unsigned end = at + bytes >= data.size() ? last : 0;
    all.push_back({(at == 0 ? kind & 0x7f : 0) | end, data.substr(at, bytes)});
  }
  return all;
}

/// Messages in one frame.
static void add_sizes(std::vector<dialogue>& to, bool is_text) {
  const size_t kilobytes[] = {64, 128, 256, 512, 1024, 2048};
  for (const size_t& size : kilobytes) {
    const std::string data = repeated(pattern_of(is_text), size << 10);
    to.push_back({(is_text ? "9.1." : "9.2.") + std::to_string(&size - kilobytes + 1),
                  "6455, 5.2",
                  "a message up to the limit that this side sets",
                  {{is_text ? text : binary, data}},
                  {(is_text ? "t" : "b") + data},
                  {}});
  }
}
/// A message in fragments of a size.
static void add_fragment_sizes(std::vector<dialogue>& to, bool is_text) {
  const std::string data = repeated(pattern_of(is_text), 512u << 10);
  const size_t sizes[] = {64, 256, 1u << 10, 4u << 10, 16u << 10, 64u << 10, 128u << 10, 256u << 10, 512u << 10};
  for (const size_t& size : sizes) {
    to.push_back({(is_text ? "9.3." : "9.4.") + std::to_string(&size - sizes + 1),
                  "6455, 5.4",
                  "a message of half a megabyte in fragments, of which there may be thousands",
                  fragments(is_text ? text : binary, data, size),
                  {(is_text ? "t" : "b") + data},
                  {}});
  }
}
/// A frame in writes of a size.
static void add_write_sizes(std::vector<dialogue>& to, bool is_text) {
  const std::string data = repeated(pattern_of(is_text), 64u << 10);
  for (size_t i = 0; i != 6; ++i) {
    to.push_back({(is_text ? "9.5." : "9.6.") + std::to_string(i + 1),
                  "6455, 5.2",
                  "a frame that comes in many pieces",
                  {{is_text ? text : binary, data}},
                  {(is_text ? "t" : "b") + data},
                  {},
                  size_t{64} << i});
  }
}
/// Messages that are sent one after the other.
static void add_turns(std::vector<dialogue>& to, bool is_text) {
  const size_t sizes[] = {0, 16, 64, 256, 1024, 4096};
  for (const size_t& size : sizes) {
    const std::string data(size, is_text ? '*' : '\xfe');
    dialogue one{(is_text ? "9.7." : "9.8.") + std::to_string(&size - sizes + 1),
                 "6455, 5.6",
                 "messages of which each is sent when the one before it has come back",
                 {},
                 {},
                 {}};
    for (size_t n = 1; n <= 50; ++n) {
      one.sent.push_back({is_text ? text : binary, data, n});
      one.answers.push_back((is_text ? "t" : "b") + data);
    }
    to.push_back(std::move(one));
  }
}

void add_limits(std::vector<dialogue>& to) {
  for (const auto add : {add_sizes, add_fragment_sizes, add_write_sizes, add_turns}) {
    for (const bool is_text : {true, false}) add(to, is_text);
  }
  const std::string data(65536, '*');
  to.push_back({"10.1.1",
                "6455, 5.4",
                "a message in fragments of 1300 octets, of which the last one is shorter",
                fragments(text, data, 1300),
                {"t" + data},
                {}});
}

}  // namespace websocket_cases
