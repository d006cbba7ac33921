// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_reader.hpp>
#include <baton/components/json_real.hpp>
#include <baton/components/json_writer.hpp>
#include <charconv>
#include <cstddef>
#include <limits>
#include <rapidjson/document.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace baton::BATON_VARIANT::components {

namespace detail {

struct rapidjson_values {
  using value = const rapidjson::Value*;

  static bool is_null(value v) { return v->IsNull(); }
  static bool is_array(value v) { return v->IsArray(); }
  static bool is_object(value v) { return v->IsObject(); }
  static bool boolean(value v, bool& to) { return v->IsBool() ? (to = v->GetBool(), true) : false; }
  static json_fault text(value v, std::string& to) {
    if (!v->IsString()) return json_fault::wrong_type;
    to.assign(v->GetString(), v->GetStringLength());
    return json_fault::none;
  }
  static json_number number(value v) {
    if (v->IsUint64()) return {json_number::natural, 0, v->GetUint64(), 0};
    if (v->IsInt64()) return {json_number::negative, v->GetInt64(), 0, 0};
    if (v->IsDouble()) return {json_number::real, 0, 0, v->GetDouble()};
    return {};
  }
  template <typename Each>
  static bool each(value v, Each f) {
    for (const rapidjson::Value& one : v->GetArray()) {
      if (!f(&one)) return false;
    }
    return true;
  }
  static bool find(value v, std::string_view name, value& found) {
    const auto at = v->FindMember(rapidjson::Value(rapidjson::StringRef(name.data(), name.size())));
    if (at == v->MemberEnd()) return false;
    found = &at->value;
    return true;
  }
};

/// Builds a document. The standard library reads the numbers, because RapidJSON's own conversions
/// are either inexact or undefined for some zeros.
struct rapidjson_builder {
  // The names are RapidJSON's. NOLINTBEGIN(readability-identifier-naming)
  bool Null() { return to.Null(); }
  bool Bool(bool b) { return to.Bool(b); }
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(int64_t) { return false; }
  bool Uint64(uint64_t) { return false; }
  bool Double(double) { return false; }
  bool StartObject() { return to.StartObject(); }
  bool StartArray() { return to.StartArray(); }
  bool EndObject(rapidjson::SizeType n) { return to.EndObject(n); }
  bool EndArray(rapidjson::SizeType n) { return to.EndArray(n); }
  bool String(const char* s, rapidjson::SizeType n, bool copy) { return is_whole({s, n}) && to.String(s, n, copy); }
  bool Key(const char* s, rapidjson::SizeType n, bool copy) { return is_whole({s, n}) && to.Key(s, n, copy); }
  bool RawNumber(const char* s, rapidjson::SizeType n, bool) {
    const char* const end = s + n;
    uint64_t natural = 0;
    if (is_all(std::from_chars(s, end, natural), end)) return to.Uint64(natural);
    int64_t negative = 0;
    if (is_all(std::from_chars(s, end, negative), end)) return to.Int64(negative);
    double real = 0;
    // An infinity is refused as out of range when the document is read.
    return to.Double(read_real(s, end, real) ? real : std::numeric_limits<double>::infinity());
  }
  // NOLINTEND(readability-identifier-naming)

  /// RapidJSON accepts the escape of half a pair of UTF-16, and writes it as invalid UTF-8.
  static bool is_whole(std::string_view text) {
    for (size_t i = text.find('\xed'); i != std::string_view::npos; i = text.find('\xed', i + 1)) {
      if (static_cast<unsigned char>(text[i + 1]) >= 0xa0) return false;  // it is followed by two
    }
    return true;
  }
  static bool is_all(std::from_chars_result r, const char* end) { return r.ec == std::errc() && r.ptr == end; }

  rapidjson::Document& to;
};

struct rapidjson_parse {
  bool operator()(rapidjson::Document& to) {
    constexpr unsigned flags = rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNumbersAsStringsFlag;
    rapidjson::MemoryStream bytes(text.data(), text.size());
    rapidjson::Reader reader;
    rapidjson_builder builder{to};
    is_good = !reader.Parse<flags>(bytes, builder).IsError() && bytes.Tell() == text.size();  // it ends at a NUL, too
    return is_good;
  }

  std::string_view text;
  bool is_good = false;
};

class rapidjson_text {
 public:
  explicit rapidjson_text(rapidjson::StringBuffer& to) : to_(to) {}
  void null() { to_.Null(); }
  void boolean(bool b) { to_.Bool(b); }
  void number(int64_t n) { to_.Int64(n); }
  void number(uint64_t n) { to_.Uint64(n); }
  void number(double n) { to_.Double(n); }
  void text(std::string_view t) { to_.String(t.data(), static_cast<rapidjson::SizeType>(t.size())); }
  void key(std::string_view t) { to_.Key(t.data(), static_cast<rapidjson::SizeType>(t.size())); }
  void begin_array() { to_.StartArray(); }
  void end_array() { to_.EndArray(); }
  void begin_object() { to_.StartObject(); }
  void end_object() { to_.EndObject(); }

 private:
  rapidjson::Writer<rapidjson::StringBuffer> to_;
};

/// True if a text nests deeper than `most`. Checked before RapidJSON reads the text, because it
/// recurses.
inline bool is_deeper(std::string_view text, unsigned most) noexcept {
  unsigned depth = 0;
  bool is_quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted) {
      if (c == '\\') ++i;
      is_quoted = c != '"';
    } else if (c == '"') {
      is_quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most) return true;
    } else if ((c == ']' || c == '}') && depth != 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace detail

/// JSON by way of RapidJSON.
template <typename T>
class rapidjson_serializer final : public serializer<T> {
 public:
  explicit rapidjson_serializer(json_limits l = {}) : limits_(l) {}

  std::string write(const T& value) override {
    buffer_.Clear();
    detail::rapidjson_text to(buffer_);
    detail::write_json(to, value);
    return {buffer_.GetString(), buffer_.GetSize()};
  }
  json_result<T> read(std::string_view text) override {
    if (text.size() > limits_.bytes) return detail::refused<T>(json_fault::too_large);
    if (detail::is_deeper(text, limits_.depth)) return detail::refused<T>(json_fault::too_deep);
    rapidjson::MemoryPoolAllocator<> memory(memory_, sizeof memory_);
    rapidjson::Document all(&memory);
    detail::rapidjson_parse parse{text};
    all.Populate(parse);
    if (!parse.is_good) return detail::refused<T>(json_fault::malformed);
    return detail::read_json<detail::rapidjson_values, T>(&all);
  }

 private:
  const json_limits limits_;
  rapidjson::StringBuffer buffer_;
  alignas(std::max_align_t) char memory_[16384];  // for the document; a larger one takes heap
};

}  // namespace baton::BATON_VARIANT::components
