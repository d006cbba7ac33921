// SPDX-License-Identifier: MIT
//
// Compression, and the words that agree about it.
#include "websocket_cases.hpp"

namespace websocket_cases {

namespace {

const char* const plain_offer = "permessage-deflate";

/// A block of DEFLATE that is not compressed, and an empty one behind it.
std::string stored(const std::string& data) {
  const auto low = static_cast<char>(data.size()), high = static_cast<char>(data.size() >> 8);
  return std::string(1, '\0') + low + high + static_cast<char>(~low) + static_cast<char>(~high) + data +
         std::string(1, '\0');
}

dialogue deflated(const char* number, const char* section, const char* rule, std::vector<frame> sent,
                  std::vector<std::string> answers, std::vector<uint16_t> codes) {
  dialogue one{number, section, rule, std::move(sent), std::move(answers), std::move(codes)};
  one.extension = plain_offer;
  return one;
}

/// The examples of the RFC, and what it forbids.
void add_examples(std::vector<dialogue>& to) {
  const unsigned all = text | is_deflated, begins = text_begins | is_deflated;
  const std::string one_block("\xf2\x48\xcd\xc9\xc9\x07\0", 7);
  const char* const rule = "each form of a message that inflates to the same";
  const char* const section = "7692, 7.2.3";
  to.push_back(deflated("+12.6.1", section, rule, {{all, one_block}}, {"tHello"}, {}));
  to.push_back(deflated("+12.6.2", section, rule, {{begins, one_block.substr(0, 3)}, {last, one_block.substr(3)}},
                        {"tHello"}, {}));
  to.push_back(deflated("+12.6.3", section, "a message that refers to the one before it",
                        {{all, one_block}, {all, std::string("\xf2\0\x11\0\0", 5)}}, {"tHello", "tHello"}, {}));
  to.push_back(deflated("+12.6.4", section, rule, {{all, stored("Hello")}}, {"tHello"}, {}));
  to.push_back(deflated("+12.6.5", section,
                        "a block that says it is the last one, which Beast refuses and the RFC allows",
                        {{all, std::string("\xf3\x48\xcd\xc9\xc9\x07\0\0", 8)}}, {}, {1007}));
  to.push_back(deflated("+12.6.6", section, rule,
                        {{all, std::string("\xf2\x48\x05\0\0\0\xff\xff\xca\xc9\xc9\x07\0", 13)}}, {"tHello"}, {}));
  to.push_back(deflated("+12.6.7", section, "an empty message", {{all, std::string(1, '\0')}}, {"t"}, {}));
  to.push_back(deflated("+12.6.8", "7692, 6", "a message that is not compressed, among others",
                        {{all, one_block}, {text, "plain", 2}, {all, one_block}}, {"tHello", "tplain", "tHello"}, {}));
  to.push_back(deflated("+12.6.9", "7692, 6", "a ping between compressed fragments",
                        {{begins, one_block.substr(0, 3)}, {ping, "there?"}, {last, one_block.substr(3)}},
                        {"othere?", "tHello"}, {}));
}

void add_refusals(std::vector<dialogue>& to) {
  const unsigned all = text | is_deflated, begins = text_begins | is_deflated;
  const std::string one_block("\xf2\x48\xcd\xc9\xc9\x07\0", 7);
  const char* const marked = "the bit of compression is for the first frame of a message only";
  to.push_back(deflated("+12.7.1", "7692, 6.1", marked,
                        {{begins, one_block.substr(0, 3)}, {last | is_deflated, one_block.substr(3)}}, {}, {1002}));
  to.push_back(deflated("+12.7.2", "7692, 6.1", marked, {{ping | is_deflated, ""}}, {}, {1002}));
  to.push_back(deflated("+12.7.3", "7692, 6.1", marked, {{closing | is_deflated, code_of(1000)}}, {}, {1002}));
  to.push_back(deflated("+12.7.4", "6455, 5.2", "the other bits are reserved", {{all | 0x20, one_block}}, {}, {1002}));
  to.push_back(deflated("+12.7.5", "6455, 5.2", "the other bits are reserved", {{text | 0x10, "plain"}}, {}, {1002}));
  to.push_back(
      deflated("+12.7.6", "7692, 7.2.2", "what does not inflate is refused", {{all, "\x07\xff"}}, {}, {1002, 1007}));
  const char* const broken = "what it inflates to has to be UTF-8";
  to.push_back(deflated("+12.7.7", "6455, 8.1", broken, {{all, stored("\xce\xba\xed\xa0\x80")}}, {}, {1007}));
  to.push_back(deflated("+12.7.8", "6455, 8.1", broken, {{all, stored("\xce\xba\xe1\xbd")}}, {}, {1007}));
}

/// ---- 12 and 13: messages of all sizes ----

struct size {
  size_t bytes;
  size_t fragment;
};
const size sizes[] = {{16, 0},      {64, 0},      {256, 0},     {1024, 0},     {2048, 0},     {4096, 0},
                      {8192, 0},    {16384, 0},   {32768, 0},   {65536, 0},    {4096, 256},   {8192, 256},
                      {16384, 256}, {32768, 256}, {65536, 256}, {65536, 1024}, {65536, 4096}, {65536, 16384}};

struct terms {
  const char* rule;
  const char* offer;
  const char* answer;
};
const terms all_terms[] = {
    {"no words", "permessage-deflate; client_no_context_takeover; client_max_window_bits", "permessage-deflate"},
    {"no context is kept",
     "permessage-deflate; client_no_context_takeover; client_max_window_bits; server_no_context_takeover",
     "permessage-deflate; client_no_context_takeover"},
    {"the least window",
     "permessage-deflate; client_no_context_takeover; client_max_window_bits; server_max_window_bits=9",
     "permessage-deflate; client_max_window_bits=9"},
    {"the largest window",
     "permessage-deflate; client_no_context_takeover; client_max_window_bits; server_max_window_bits=15",
     "permessage-deflate; client_max_window_bits=15"},
    {"the least window, and no context is kept",
     "permessage-deflate; client_no_context_takeover; client_max_window_bits; server_no_context_takeover; "
     "server_max_window_bits=9",
     "permessage-deflate; client_no_context_takeover; client_max_window_bits=9"},
    {"the largest window, and no context is kept",
     "permessage-deflate; client_no_context_takeover; client_max_window_bits; server_no_context_takeover; "
     "server_max_window_bits=15",
     "permessage-deflate; client_no_context_takeover; client_max_window_bits=15"},
    {"the first of several offers",
     "permessage-deflate; client_no_context_takeover; client_max_window_bits; server_no_context_takeover; "
     "server_max_window_bits=9, permessage-deflate; client_no_context_takeover; client_max_window_bits; "
     "server_no_context_takeover, permessage-deflate; client_no_context_takeover; client_max_window_bits",
     "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=9; "
     "client_max_window_bits=9"},
};

}  // namespace

void add_compressed(std::vector<dialogue>& to) {
  add_examples(to);
  add_refusals(to);
}

const std::vector<stream>& streams() {
  static const std::vector<stream> all = [] {
    static const char* const kinds[] = {"JSON", "a picture", "prose", "HTML", "what is compressed already"};
    std::vector<stream> to;
    const auto add = [&](const std::string& chapter, const char* section, const terms& t, unsigned kind) {
      for (const size& s : sizes) {
        to.push_back({chapter + std::to_string(&s - sizes + 1), section, t.rule, t.offer, t.answer, kind, s.bytes,
                      s.bytes > 8192 ? 2u : 4u, s.fragment});
      }
    };
    for (unsigned kind = 0; kind != kinds_of_samples; ++kind) {
      add("12." + std::to_string(kind + 1) + ".", "7692, 7.2", {kinds[kind], plain_offer, plain_offer}, kind);
    }
    for (const terms& t : all_terms) add("13." + std::to_string(&t - all_terms + 1) + ".", "7692, 7.1", t, 0);
    return to;
  }();
  return all;
}

/// ---- Agreements ----

const std::vector<agreement_case>& offers() {
  static const char* const declined = "an offer that is not sound is declined, and the connection opens";
  static const char* const window = "a window that is offered is taken";
  static const std::vector<agreement_case> all = {
      {"+13.8.1", "compression is agreed if it is offered", "permessage-deflate", "permessage-deflate"},
      {"+13.8.2", "another extension is declined", "x-unknown", ""},
      {"+13.8.3", "and leaves the one behind it alone", "x-unknown; a=b, permessage-deflate", "permessage-deflate"},
      {"+13.8.4", "of several offers the first one is kept that the server can keep",
       "permessage-deflate; server_max_window_bits=8, permessage-deflate; unknown, permessage-deflate; "
       "server_max_window_bits=10, permessage-deflate",
       "permessage-deflate; server_max_window_bits=10"},
      {"+13.8.5", "a header that is not sound agrees to nothing", "permessage-deflate, ;", ""},
      {"+13.8.6", "and so does one with two values in a row", "permessage-deflate; server_max_window_bits=10 11", ""},
      {"+13.9.8", "the server has no window of 256 bytes, and declines it",
       "permessage-deflate; server_max_window_bits=8", ""},
      {"+13.9.9", window, "permessage-deflate; server_max_window_bits=9",
       "permessage-deflate; server_max_window_bits=9"},
      {"+13.9.12", window, "permessage-deflate; server_max_window_bits=\"12\"",
       "permessage-deflate; server_max_window_bits=12"},
      {"+13.9.14", window, "permessage-deflate; server_max_window_bits=14",
       "permessage-deflate; server_max_window_bits=14"},
      {"+13.9.15", "the largest window is the one of an answer without a window",
       "permessage-deflate; server_max_window_bits=15", "permessage-deflate"},
      {"+13.10.1", window, "permessage-deflate; client_max_window_bits", "permessage-deflate"},
      {"+13.10.8", window, "permessage-deflate; client_max_window_bits=8",
       "permessage-deflate; client_max_window_bits=8"},
      {"+13.10.9", window, "permessage-deflate; client_max_window_bits=9",
       "permessage-deflate; client_max_window_bits=9"},
      {"+13.10.15", window, "permessage-deflate; client_max_window_bits=15",
       "permessage-deflate; client_max_window_bits=15"},
      {"+13.11.1", declined, "permessage-deflate; unknown", ""},
      {"+13.11.2", declined, "permessage-deflate; server_max_window_bits", ""},
      {"+13.11.3", declined, "permessage-deflate; server_max_window_bits=7", ""},
      {"+13.11.4", declined, "permessage-deflate; server_max_window_bits=16", ""},
      {"+13.11.5", declined, "permessage-deflate; server_max_window_bits=09", ""},
      {"+13.11.6", declined, "permessage-deflate; client_max_window_bits=7", ""},
      {"+13.11.7", declined, "permessage-deflate; client_max_window_bits=16", ""},
      {"+13.11.8", declined, "permessage-deflate; client_max_window_bits=ten", ""},
      {"+13.11.9", declined, "permessage-deflate; server_no_context_takeover=1", ""},
      {"+13.11.10", declined, "permessage-deflate; client_no_context_takeover=1", ""},
      {"+13.11.11", declined, "permessage-deflate; server_no_context_takeover; server_no_context_takeover", ""},
      {"+13.11.12", declined, "permessage-deflate; client_max_window_bits; client_max_window_bits", ""},
      {"+13.11.13", declined, "permessage-deflate; server_max_window_bits=10; server_max_window_bits=10", ""},
  };
  return all;
}

const std::vector<agreement_case>& agreements() {
  static const char* const taken = "an answer that the client has offered is taken";
  static const char* const refused = "an answer that it has not offered, or that is not sound, ends the connection";
  static const std::vector<agreement_case> all = {
      {"+13.12.1", "no answer is no compression", "", "open"},
      {"+13.12.2", taken, "permessage-deflate", "open"},
      {"+13.12.3", taken, "permessage-deflate; server_max_window_bits=9; client_max_window_bits=9", "open"},
      {"+13.12.4", taken, "permessage-deflate; server_max_window_bits=8; client_max_window_bits=8", "open"},
      {"+13.12.5", taken, "permessage-deflate; server_no_context_takeover; client_no_context_takeover", "open"},
      {"+13.13.1", refused, "x-unknown", "refused"},
      {"+13.13.2", refused, "permessage-deflate, x-unknown", "refused"},
      {"+13.13.3", refused, "permessage-deflate, permessage-deflate", "refused"},
      {"+13.13.4", refused, "permessage-deflate; unknown", "refused"},
      {"+13.13.5", refused, "permessage-deflate; server_max_window_bits", "refused"},
      {"+13.13.6", refused, "permessage-deflate; server_max_window_bits=16", "refused"},
      {"+13.13.7", refused, "permessage-deflate; client_max_window_bits", "refused"},
      {"+13.13.8", refused, "permessage-deflate; client_max_window_bits=7", "refused"},
      {"+13.13.9", refused, "permessage-deflate; server_no_context_takeover=1", "refused"},
      {"+13.13.10", refused, "permessage-deflate; client_no_context_takeover; client_no_context_takeover", "refused"},
  };
  return all;
}

}  // namespace websocket_cases
