// SPDX-License-Identifier: MIT
#include <baton/components/boost_json_serializer.hpp>
#include <baton/components/fields_serializer.hpp>
#include <baton/components/rapidjson_serializer.hpp>
#include <baton/components/simdjson_serializer.hpp>
#include <baton/test/trace.hpp>
#include <functional>
#include <limits>
#include <memory>

#include "json_wide.hpp"

using namespace baton::components;
using json_test::named_oddly;
using json_test::node;
using json_test::optionals;
using json_test::sizes;
using json_test::wide;

namespace {

template <typename T>
std::string outcome(serializer<T>& s, const std::string& text) {
  const json_result<T> r = s.read(text);
  if (r) return s.write(*r);
  constexpr const char* names[] = {"none",       "malformed",    "too_large",    "too_deep",
                                   "wrong_type", "out_of_range", "missing_field"};
  const std::string fault = names[static_cast<uint8_t>(r.error.fault)];
  return fault + " at " + r.error.path;
}

/// Runs a check with a serializer of each library.
template <typename T>
void with_each(const std::function<void(serializer<T>&)>& check, json_limits l = {}) {
  fields_serializer<T> a(l);
  rapidjson_serializer<T> b(l);
  simdjson_serializer<T> c(l);
  boost_json_serializer<T> d(l);
  for (serializer<T>* one : {static_cast<serializer<T>*>(&a), static_cast<serializer<T>*>(&b),
                             static_cast<serializer<T>*>(&c), static_cast<serializer<T>*>(&d)}) {
    check(*one);
  }
}

std::string repeated(const std::string& text, size_t n) {
  std::string all;
  for (size_t i = 0; i != n; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("a name with quotes, escapes, control characters or none is written and read") {
  const std::string text = R"({"":1,"a \"b\" \\":2,"\n\u0001":3,"ä":4,"a rather long name of a field":5})";
  with_each<named_oddly>([&](serializer<named_oddly>& s) {
    CHECK_EQ(s.write({1, 2, 3, 4, 5}), text);
    CHECK_EQ(outcome(s, text), text);
    CHECK_EQ(
        outcome(s, R"({"\u0061 rather long name of a field":5,"\u00e4":4,"\u000a\u0001":3,"\u0061 \"b\" \\":2,"":1})"),
        text);
  });
}

TEST_CASE("a struct of more than 64 members is read in any order, and each missing one is told") {
  wide w;
  for (size_t i = 0; i != json_test::count_of_wide; ++i) json_test::member_of_wide(w, i) = static_cast<int>(i);
  with_each<wide>([&](serializer<wide>& s) {
    const std::string text = s.write(w);
    CHECK_EQ(outcome(s, text), text);
    std::string backwards;
    for (size_t i = json_test::count_of_wide; i-- != 0;) {
      backwards +=
          std::string(backwards.empty() ? "{" : ", ") + "\"m" + std::to_string(i) + "\" : " + std::to_string(i);
    }
    CHECK_EQ(outcome(s, backwards + "}"), text);
    CHECK_EQ(outcome(s, backwards + ",\"m70\":[],\"m\":{},\"m6\\u0039\":69}"), text);
    for (const size_t i : {size_t{0}, size_t{63}, size_t{64}, json_test::count_of_wide - 1}) {
      const std::string name = "m" + std::to_string(i);
      std::string without = text;
      const size_t at = without.find("\"" + name + "\"");
      CHECK_EQ(outcome(s, without.replace(at + 1, 1, "x")), "missing_field at " + name);
    }
  });
}

TEST_CASE("optional members that are missing, null or out of order are read, and an absent one is cleared") {
  with_each<optionals>([](serializer<optionals>& s) {
    CHECK_EQ(outcome(s, "{}"), "{}");
    CHECK_EQ(outcome(s, " { } "), "{}");
    CHECK_EQ(outcome(s, R"({"b":null})"), "{}");
    CHECK_EQ(outcome(s, R"({"c":[null,1]})"), R"({"c":[null,1]})");
    CHECK_EQ(outcome(s, R"({"b":"x","a":-1})"), R"({"a":-1,"b":"x"})");
    CHECK_EQ(outcome(s, R"({"a":-1,"c":[]})"), R"({"a":-1,"c":[]})");
    CHECK_EQ(outcome(s, R"({,})"), "malformed at ");
    CHECK_EQ(outcome(s, R"({"a":-1,})"), "malformed at ");
    CHECK_EQ(outcome(s, R"({"a":-1, })"), "malformed at ");
    CHECK_EQ(outcome(s, R"({"c":[], })"), "malformed at ");
    CHECK_EQ(outcome(s, R"({"x":[],})"), "malformed at ");
  });
}

TEST_CASE("of two members of one name the first counts, and the second has to be JSON") {
  fields_serializer<optionals> a;
  rapidjson_serializer<optionals> b;
  simdjson_serializer<optionals> c;
  for (serializer<optionals>* s : {static_cast<serializer<optionals>*>(&a), static_cast<serializer<optionals>*>(&b),
                                   static_cast<serializer<optionals>*>(&c)}) {
    CHECK_EQ(outcome(*s, R"({"a":1,"a":2})"), R"({"a":1})");
    CHECK_EQ(outcome(*s, R"({"a":1,"a":"x","b":"y"})"), R"({"a":1,"b":"y"})");
    CHECK_EQ(outcome(*s, R"({"a":"x","a":1})"), "wrong_type at a");
    CHECK_EQ(outcome(*s, R"({"a":1,"a":x})"), "malformed at ");
  }
}

TEST_CASE("of several faults the one of the first field is told, and malformed text before all") {
  with_each<sizes>([](serializer<sizes>& s) {
    CHECK_EQ(outcome(s, R"({"d":[],"c":1.5,"b":256,"a":1})"), "out_of_range at b");
    CHECK_EQ(outcome(s, R"({"a":128,"b":256,"c":1,"d":1})"), "out_of_range at a");
    CHECK_EQ(outcome(s, R"({"b":256,"c":1,"d":1})"), "missing_field at a");
    CHECK_EQ(outcome(s, R"({"a":128,"b":256,"c":1,"d":1)"), "malformed at ");
    CHECK_EQ(outcome(s, R"({"a":128,"b":tru})"), "malformed at ");
  });
}

TEST_CASE("each integer is read to its ends, and no further") {
  with_each<sizes>([](serializer<sizes>& s) {
    const bool knows_64_bits = !dynamic_cast<simdjson_serializer<sizes>*>(&s) &&
                               !dynamic_cast<rapidjson_serializer<sizes>*>(&s) &&
                               !dynamic_cast<boost_json_serializer<sizes>*>(&s);
    const auto with = [](const char* a, const char* b, const char* c, const char* d) {
      return std::string("{\"a\":") + a + ",\"b\":" + b + ",\"c\":" + c + ",\"d\":" + d + "}";
    };
    for (const std::string& whole : {with("-128", "0", "-9223372036854775808", "0"),
                                     with("127", "255", "9223372036854775807", "18446744073709551615")}) {
      CHECK_EQ(outcome(s, whole), whole);
    }
    CHECK_EQ(outcome(s, with("-0", "-0", "-0", "-0")), with("0", "0", "0", "0"));
    CHECK_EQ(outcome(s, with("-129", "0", "0", "0")), "out_of_range at a");
    CHECK_EQ(outcome(s, with("0", "-1", "0", "0")), "out_of_range at b");
    CHECK_EQ(outcome(s, with("0", "0", "9223372036854775808", "0")), "out_of_range at c");
    if (knows_64_bits) {
      CHECK_EQ(outcome(s, with("0", "0", "-9223372036854775809", "0")), "out_of_range at c");
      CHECK_EQ(outcome(s, with("0", "0", "0", "18446744073709551616")), "out_of_range at d");
      CHECK_EQ(outcome(s, with("0", "0", "0", "99999999999999999999999")), "out_of_range at d");
    }
    for (const char* bad : {"00", "-", "-a", "01", "-01", "1.", "1e", "+1", ".5", "1.e5", "1e+", "0x1"}) {
      CHECK_EQ(outcome(s, with("0", "0", "0", bad)), "malformed at ");
    }
    CHECK_EQ(outcome(s, with("0", "0", "0", "1e0")), "wrong_type at d");
  });
}

TEST_CASE("a fault deep inside is told with its path, and costs no second reading") {
  constexpr size_t depth = 900;
  const std::string text = repeated(R"({"below":[)", depth / 2) + R"({"below":1})" + repeated("]}", depth / 2);
  with_each<node>(
      [&](serializer<node>& s) {
        const json_result<node> r = s.read(text);
        CHECK(r.error.fault == json_fault::wrong_type);
        CHECK_EQ(r.error.path, repeated("below[0].", depth / 2) + "below");
      },
      {1 << 20, 999});
}

TEST_CASE("a text of many members that are unknown is read, and so is one of long strings") {
  with_each<optionals>([](serializer<optionals>& s) {
    std::string text = "{";
    for (int i = 0; i != 20000; ++i) text += "\"x" + std::to_string(i) + "\":[{}],";
    CHECK_EQ(outcome(s, text + "\"a\":7}"), "{\"a\":7}");
    for (const size_t n : {size_t{0}, size_t{1}, size_t{7}, size_t{8}, size_t{9}, size_t{500}, size_t{509}, size_t{510},
                           size_t{511}, size_t{512}, size_t{513}, size_t{5000}}) {
      for (const char* character : {"a", "\xc3\xa4", "\\\\"}) {
        const std::string whole = "{\"b\":\"" + repeated(character, n) + "\",\"c\":[1]}";
        CHECK_EQ(outcome(s, whole), whole);
      }
    }
  });
}

TEST_CASE("numbers without end are written and read, by whichever library") {
  using array = json_test::reals;
  array a;
  for (double d = 1e300; d > 1e-310; d /= 3) a.all.insert(a.all.end(), {d, -d});
  a.all.insert(a.all.end(),
               {98765432109876543210.0, 18446744073709551616.0, 9223372036854775808.0, 9223372036854774784.0,
                -9223372036854775808.0, 0.0, std::numeric_limits<double>::max(), 5e-324});
  with_each<array>([&](serializer<array>& writer) {
    const std::string text = writer.write(a);
    with_each<array>([&](serializer<array>& reader) {
      const json_result<array> got = reader.read(text);
      const bool is_exact = !dynamic_cast<boost_json_serializer<array>*>(&reader);
      if (is_exact) CHECK(got);  // Boost 1.81 reads the last bits wrong
      if (got && is_exact) CHECK(got->all == a.all);
    });
  });
}

TEST_CASE("a number too near to zero is zero, and one too far from it is refused") {
  using array = json_test::reals;
  with_each<array>([](serializer<array>& s) {
    for (const char* tiny : {"1e-999", "1e-400", "0.000001e-330", "123456e-400", "9e-325"}) {
      const json_result<array> got = s.read(std::string("{\"all\":[") + tiny + "]}");
      CHECK(got);
      if (got) CHECK_EQ(got->all[0], 0.0);
    }
    // Boost refuses an exponent of more than 32 bits.
    const bool is_boost = dynamic_cast<boost_json_serializer<array>*>(&s);
    CHECK_EQ(static_cast<bool>(s.read(R"({"all":[1e-99999999999999999999]})")), !is_boost);
    CHECK(!s.read(R"({"all":[1e400]})"));
    CHECK(!s.read(R"({"all":[-0.0001e999]})"));
  });
}

TEST_CASE("a text that is not UTF-8 is not written") {
  for (const char* bad :
       {"\xff", "a\xc3", "\xed\xa0\x80", "\xc0\xaf", "\xf5\x80\x80\x80", "\xe2\x82", "\xf0\x8f\xbf\xbf"}) {
    with_each<optionals>([&](serializer<optionals>& s) {
      bool is_refused = false;
      try {
        s.write({1, bad, {}});
      } catch (const std::invalid_argument&) {
        is_refused = true;
      }
      CHECK(is_refused);
    });
  }
}
