// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <simdjson.h>

#include "serializing.hpp"

// The case serialize with direct calls of each library, or none, for this message alone, with text
// and memory that are used again. There are no limits, and no report of a text that does not fit.

namespace suite_service {
namespace minimal {

struct rapidjson_library {
  std::string_view write(const message& m) {
    text.Clear();
    rapidjson::Writer<rapidjson::StringBuffer> to(text);
    to.StartObject();
    to.Key("id", 2);
    to.Uint64(m.id);
    to.Key("val", 3);
    to.String(m.val.data(), static_cast<rapidjson::SizeType>(m.val.size()));
    to.EndObject();
    return {text.GetString(), text.GetSize()};
  }
  bool read(std::string_view from, message& to) {
    rapidjson::MemoryPoolAllocator<> pool(memory, sizeof memory);
    rapidjson::Document all(&pool);
    all.Parse(from.data(), from.size());
    if (all.HasParseError()) return false;
    const rapidjson::Value &id = all["id"], &val = all["val"];
    to.id = id.GetUint64();
    to.val.assign(val.GetString(), val.GetStringLength());
    return true;
  }

  rapidjson::StringBuffer text;
  alignas(std::max_align_t) char memory[4096];
};

struct boost_json_library {
  std::string_view write(const message& m) {
    boost::json::monotonic_resource pool(memory, sizeof memory);
    boost::json::object all(&pool);
    all.emplace("id", m.id);
    all.emplace("val", boost::json::string_view(m.val.data(), m.val.size()));
    text = boost::json::serialize(all);
    return text;
  }
  bool read(std::string_view from, message& to) {
    boost::json::monotonic_resource pool(memory, sizeof memory);
    boost::json::error_code error;
    const boost::json::value all = boost::json::parse({from.data(), from.size()}, error, &pool);
    if (error) return false;
    const boost::json::object& members = all.get_object();
    const boost::json::string& val = members.at("val").get_string();
    to.id = members.at("id").to_number<uint64_t>();
    to.val.assign(val.data(), val.size());
    return true;
  }

  std::string text;
  unsigned char memory[4096];
};

/// Puts the text together without escapes, and reads the one form that it writes.
struct by_hand {
  std::string_view write(const message& m) {
    char digits[20];
    const std::to_chars_result r = std::to_chars(digits, digits + sizeof digits, m.id);
    text.assign(before_id).append(digits, static_cast<size_t>(r.ptr - digits));
    text.append(before_val).append(m.val).append(end);
    return text;
  }
  bool read(std::string_view from, message& to) {
    if (from.substr(0, before_id.size()) != before_id) return false;
    const char* const last = from.data() + from.size();
    const std::from_chars_result id = std::from_chars(from.data() + before_id.size(), last, to.id);
    from.remove_prefix(static_cast<size_t>(id.ptr - from.data()));
    if (id.ec != std::errc() || from.substr(0, before_val.size()) != before_val) return false;
    from.remove_prefix(before_val.size());
    const size_t quote = from.find('"');
    if (quote == std::string_view::npos || from.substr(quote) != end) return false;
    to.val.assign(from.substr(0, quote));
    return true;
  }

  static constexpr std::string_view before_id = "{\"id\":", before_val = ",\"val\":\"", end = "\"}";
  std::string text;
};

/// simdjson only reads, so the text is put together by hand. It has room behind it, so that
/// simdjson does not copy it.
struct simdjson_library {
  simdjson_library() { writer.text.reserve(bytes_of_text + simdjson::SIMDJSON_PADDING); }

  std::string_view write(const message& m) { return writer.write(m); }
  bool read(std::string_view from, message& to) {
    simdjson::dom::element all;
    std::string_view val;
    const bool is_good = parser.parse(from.data(), from.size(), false).get(all) == simdjson::SUCCESS &&
                         all["id"].get(to.id) == simdjson::SUCCESS && all["val"].get(val) == simdjson::SUCCESS;
    if (is_good) to.val.assign(val);
    return is_good;
  }

  by_hand writer;
  simdjson::dom::parser parser;
};

template <typename Library>
struct serialize {
  explicit serialize(uint32_t n) : trips(n) {}

  void run() {
    const message sent = to_send();
    message got;
    for (uint32_t i = 0; i != trips.asked; ++i) {
      const std::string_view text = library.write(sent);
      got.id = 0;
      got.val.clear();
      trips.note(text.size(), library.read(text, got) && got == sent);
    }
  }
  counted finish() const { return trips.result(true); }

  round_trips trips;
  Library library;
};

}  // namespace minimal
}  // namespace suite_service
