// SPDX-License-Identifier: MIT
// The three readers of JSON do not refuse the same, and one does not read what it writes. The
// argument chooses the case.
// Issue: Services and network.
#include <baton/components/boost_json_serializer.hpp>
#include <baton/components/rapidjson_serializer.hpp>
#include <baton/components/simdjson_serializer.hpp>
#include <cstdio>
#include <json_message.hpp>
#include <string>
#include <string_view>

using namespace baton::components;
using namespace std::string_literals;
using json_test::message;

namespace {

rapidjson_serializer<message> by_rapidjson;
boost_json_serializer<message> by_boost_json;
simdjson_serializer<message> by_simdjson;

int failures = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::printf("failed: %s\n", what.c_str());
  ++failures;
}

std::string with_weight(const std::string& weight) {
  message m;
  m.weight = 7.5;
  std::string text = by_rapidjson.write(m);
  return text.replace(text.find("7.5"), 3, weight);
}

void expect_refused(const std::string& text, const char* what) {
  expect(!by_boost_json.read(text), "Boost.JSON refuses "s + what);
  expect(!by_simdjson.read(text), "simdjson refuses "s + what);
  expect(!by_rapidjson.read(text), "RapidJSON refuses "s + what);
}

void expect_taken(const std::string& text, const std::string& what) {
  expect(static_cast<bool>(by_boost_json.read(text)), "Boost.JSON takes " + what);
  expect(static_cast<bool>(by_simdjson.read(text)), "simdjson takes " + what);
  expect(static_cast<bool>(by_rapidjson.read(text)), "RapidJSON takes " + what);
}

}  // namespace

int main(int, char** arguments) {
  const std::string_view wanted = arguments[1];
  if (wanted == "behind_nul") expect_refused(with_weight("1") + "\0 this is no JSON {{{"s, "what follows a NUL");
  if (wanted == "part_of_bom") expect_refused("\xbf" + with_weight("1"), "a part of a byte order mark");
  if (wanted == "small_number") expect_taken(with_weight("1e-999"), "a number near 0");
  if (wanted == "own_text") {
    message m;
    m.weight = 98765432109876543210.0;
    expect_taken(by_simdjson.write(m), "what simdjson_serializer has written");
  }
  return failures != 0;
}
