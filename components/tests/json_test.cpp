// SPDX-License-Identifier: MIT
#include "json_message.hpp"

#include <baton/components/boost_json_serializer.hpp>
#include <baton/components/fields_serializer.hpp>
#include <baton/components/rapidjson_serializer.hpp>
#include <baton/components/simdjson_serializer.hpp>
#include <baton/test/trace.hpp>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>

using namespace baton::components;
using json_test::message;

namespace {

/// Runs a check with a serializer of each library.
template <typename T, typename Check>
void with_each(json_limits l, Check check) {
  const std::unique_ptr<serializer<T>> all[] = {
      std::make_unique<fields_serializer<T>>(l), std::make_unique<rapidjson_serializer<T>>(l),
      std::make_unique<boost_json_serializer<T>>(l), std::make_unique<simdjson_serializer<T>>(l)};
  for (const std::unique_ptr<serializer<T>>& one : all) check(*one);
}

message example() {
  message m;
  m.name = "a \"quoted\" \\ name,\n\t\r\b\f\x01 \xc3\xa4 \xf0\x9f\x99\x82";
  m.is_urgent = true;
  m.number = std::numeric_limits<int32_t>::min();
  m.id = std::numeric_limits<uint64_t>::max();
  m.offset = std::numeric_limits<int64_t>::min();
  m.weight = 0.1;
  m.lines = {{"first", -128}, {"", 127}};
  m.note = "";
  m.table = {{}, {1, 65535}, {0}};
  return m;
}

/// The fault of a text and its path, as in "out_of_range at lines[1].indent".
std::string refusal(serializer<message>& s, const std::string& text) {
  constexpr const char* names[] = {"none",       "malformed",    "too_large",    "too_deep",
                                   "wrong_type", "out_of_range", "missing_field"};
  const json_result<message> r = s.read(text);
  std::string what = names[static_cast<uint8_t>(r.error.fault)];
  if (r.value.has_value() != (r.error.fault == json_fault::none)) what += " and a value";
  return r.error.path.empty() ? what : what + " at " + r.error.path;
}

/// A valid text in which `to` replaces `from`.
std::string with(const std::string& from, const std::string& to) {
  std::string text =
      R"({"name":"n","is_urgent":false,"number":1,"id":2,"offset":3,"weight":4,"lines":[{"text":"t","indent":5}],"table":[[6]]})";
  const size_t at = text.find(from);
  return text.replace(at, from.size(), to);
}

std::string nested(size_t depth) {
  return with("\"table\":", "\"extra\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + ",\"table\":");
}

}  // namespace

TEST_CASE("a struct that is written and read again is the same, by whichever library") {
  const message m = example();
  with_each<message>({}, [&](serializer<message>& writer) {
    const std::string text = writer.write(m);
    with_each<message>({}, [&](serializer<message>& reader) {
      const json_result<message> got = reader.read(text);
      CHECK(got);
      if (got) CHECK_EQ(*got == m, true);
    });
  });
}

TEST_CASE(
    "the text is the members in the order of the fields, without white space and without optional members that are not "
    "there") {
  message m;
  m.name = "n";
  m.lines = {{"t", -5}};
  m.weight = 0.5;
  with_each<message>({}, [&](serializer<message>& s) {
    std::string text = s.write(m);
    const size_t real = text.find("5E-1");  // as Boost writes it
    if (real != std::string::npos) text.replace(real, 4, "0.5");
    CHECK_EQ(
        text,
        R"({"name":"n","is_urgent":false,"number":0,"id":0,"offset":0,"weight":0.5,"lines":[{"text":"t","indent":-5}],"table":[]})");
  });
}

TEST_CASE("white space, escapes, other members and other orders are read") {
  with_each<message>({}, [](serializer<message>& s) {
    const json_result<message> got = s.read(
        " { \"table\" : [ ] ,\n \"lines\":[],\"weight\":-1.5e2,\"offset\":-0,\"extra\":{\"a\":[null,{}]},\"id\":1,"
        "\"number\":2,\"is_urgent\":true,\"note\":null,\"name\":\"\\u00e4\\ud83d\\ude42\\/\" } ");
    CHECK(got);
    if (!got) return;
    CHECK_EQ(got->name, "\xc3\xa4\xf0\x9f\x99\x82/");
    CHECK_EQ(got->weight, -150);
    CHECK_EQ(got->offset, 0);
    CHECK(!got->note);
  });
}

TEST_CASE("what does not fit its member is refused with the way to it") {
  with_each<message>({}, [](serializer<message>& s) {
    CHECK_EQ(refusal(s, with("", "")), "none");
    CHECK_EQ(refusal(s, with("\"n\"", "1")), "wrong_type at name");
    CHECK_EQ(refusal(s, with("false", "null")), "wrong_type at is_urgent");
    CHECK_EQ(refusal(s, with("1", "1.0")), "wrong_type at number");
    CHECK_EQ(refusal(s, with("1", "2147483648")), "out_of_range at number");
    CHECK_EQ(refusal(s, with("1", "-2147483649")), "out_of_range at number");
    CHECK_EQ(refusal(s, with("2", "-1")), "out_of_range at id");
    CHECK_EQ(refusal(s, with("3", "9223372036854775808")), "out_of_range at offset");
    CHECK_EQ(refusal(s, with("4", "\"4\"")), "wrong_type at weight");
    CHECK_EQ(refusal(s, with("5", "128")), "out_of_range at lines[0].indent");
    CHECK_EQ(refusal(s, with(",\"indent\":5", "")), "missing_field at lines[0].indent");
    CHECK_EQ(refusal(s, with("6", "6,[]")), "wrong_type at table[0][1]");
    CHECK_EQ(refusal(s, with("[[6]]", "{}")), "wrong_type at table");
    CHECK_EQ(refusal(s, with("\"name\"", "\"nome\"")), "missing_field at name");
    CHECK_EQ(refusal(s, "[]"), "wrong_type");
    CHECK_EQ(refusal(s, with("\"table\"", "\"note\":1,\"table\"")), "wrong_type at note");
  });
}

TEST_CASE("what is not JSON or not UTF-8 is refused") {
  with_each<message>({}, [](serializer<message>& s) {
    const std::string whole = with("", "");
    for (size_t length = 0; length != whole.size(); ++length) {
      CHECK_EQ(refusal(s, whole.substr(0, length)), "malformed");
    }
    for (const char* bad : {"{}}", "{\"a\":1,}", "[1,]", "{'a':1}", "nul", "NaN", "01", "\"\\x\"", "\"\n\"", "1 2",
                            "// c\n1", "\"\xff\"", "\"\xc0\xaf\"", "\"\\ud800\""}) {
      CHECK_EQ(refusal(s, bad), "malformed");
    }
    CHECK_EQ(refusal(s, with("\"n\"", std::string("\"a\0b\"", 5))), "malformed");
    for (const char* half : {"\"\\ud83d\"", "\"\\ude42\"", "\"\\ud83d\\ud83d\"", "\"a\\udfff\""}) {
      CHECK_EQ(refusal(s, with("\"n\"", half)).substr(0, 9), "malformed");
    }
    CHECK_EQ(refusal(s, with("\"n\"", "\"\\ud7ff\\ue000\"")), "none");
  });
}

TEST_CASE("what stands before or behind the text, or in members that are skipped, has to be JSON, too") {
  with_each<message>({}, [](serializer<message>& s) {
    for (const char* mark : {"\xef\xbb\xbf", "\xef\xbb", "\xef", "\xbb", "\xbf", "\xff", "\xfe\xff"}) {
      CHECK_EQ(refusal(s, mark + with("", "")), "malformed");
      CHECK_EQ(refusal(s, with("", "") + mark), "malformed");
    }
    CHECK_EQ(refusal(s, with("", "") + '\0'), "malformed");
    CHECK_EQ(refusal(s, '\0' + with("", "")), "malformed");
    CHECK_EQ(refusal(s, with("", "") + std::string("\0 this is no JSON {{{", 21)), "malformed");
    for (const char* half : {"\\ud83d", "\\ude42", "\\ud83d\\ud83d", "a\\udfff"}) {
      CHECK_EQ(refusal(s, with("{\"name", "{\"x\":\"" + std::string(half) + "\",\"name")), "malformed");
      CHECK_EQ(refusal(s, with("{\"name", "{\"" + std::string(half) + "\":1,\"name")), "malformed");
    }
  });
}

TEST_CASE("what is deeper than the limit is refused, and what is as deep is read") {
  with_each<message>(json_limits{1 << 20, 8}, [](serializer<message>& s) {
    CHECK_EQ(refusal(s, nested(8)), "none");
    CHECK_EQ(refusal(s, nested(9)), "too_deep");
    CHECK_EQ(refusal(s, with("\"table\":", "\"x\":[[[[[[[1]]]]]]],\"table\":")), "none");
    CHECK_EQ(refusal(s, with("\"table\":", "\"x\":[[[[[[[{}]]]]]]],\"table\":")), "too_deep");
    CHECK_EQ(refusal(s, with("\"table\":", "\"x\":[{\"a\":[[[[[1]]]]]}],\"table\":")), "none");
    CHECK_EQ(refusal(s, with("\"table\":", "\"x\":[{\"a\":[[[[[[]]]]]]}],\"table\":")), "too_deep");
    CHECK_EQ(refusal(s, nested(400000)), "too_deep");
    CHECK(refusal(s, std::string(1000000, '[')) != "none");
    std::string objects;
    for (int i = 0; i != 100000; ++i) objects += "{\"a\":";
    CHECK(refusal(s, objects) != "none");
    CHECK_EQ(refusal(s, objects + "1" + std::string(100000, '}')), "too_deep");
    CHECK_EQ(refusal(s, with("\"n\"", "\"[[[[[[[[[[\\\"{{{{{{{{{{{{\"")), "none");
  });
}

TEST_CASE("numbers with fractions are read to the last bit, and zeros of any length") {
  with_each<message>({}, [](serializer<message>& s) {
    // Boost 1.81 reads the last bits wrong.
    const bool is_exact = !dynamic_cast<boost_json_serializer<message>*>(&s);
    for (const char* number :
         {"0.1", "2.2250738585072011e-308", "1.7976931348623157e308", "9007199254740993", "0.30000000000000004",
          "5e-324", "12345678901234567890123.0", "0.0", "-0.0", "0e5", "0.000000000000000000000000000000000000000e-3",
          "0.00000000000000000000000000001e29", "1e0"}) {
      const json_result<message> got = s.read(with("4", number));
      if (is_exact) CHECK(got);
      if (got && is_exact) CHECK_EQ(got->weight == std::strtod(number, nullptr), true);
    }
    const json_result<message> got = s.read(with("4", "0.1"));
    CHECK(got);
    CHECK(std::abs(got->weight - 0.1) < 1e-15);
    CHECK(refusal(s, with("4", "1e999")) != "none");
  });
}

TEST_CASE("what is larger than the limit is refused, and what is as large is read") {
  const std::string text = with("", "");
  with_each<message>(json_limits{text.size(), 8}, [&](serializer<message>& s) {
    CHECK_EQ(refusal(s, text), "none");
    CHECK_EQ(refusal(s, text + " "), "too_large");
  });
}

TEST_CASE("a number that is not finite is not written") {
  for (const double d : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    message m;
    m.weight = d;
    with_each<message>({}, [&](serializer<message>& s) {
      bool is_refused = false;
      try {
        s.write(m);
      } catch (const std::invalid_argument&) {
        is_refused = true;
      }
      CHECK(is_refused);
      m.weight = 1;
      CHECK_EQ(refusal(s, s.write(m)), "none");
      m.weight = d;
    });
  }
}
