// SPDX-License-Identifier: MIT
#include "json_message.hpp"

#include <baton/components/boost_json_serializer.hpp>
#include <baton/components/fields_serializer.hpp>
#include <baton/components/rapidjson_serializer.hpp>
#include <baton/components/simdjson_serializer.hpp>
#include <baton/test/trace.hpp>
#include <cmath>
#include <cstdint>

using namespace baton::components;
using namespace std::string_view_literals;
using json_test::message;

namespace {

uint32_t next(uint32_t& seed) {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 8;
}

/// A valid text with some bytes changed, removed, doubled or moved.
std::string mutated(std::string text, uint32_t& seed) {
  constexpr std::string_view likely = "{}[]\",:\\0123456789-+.eEtfnu \x00\x1f\x7f\x80\xc3\xff"sv;
  static_assert(likely.size() == 34 && likely.back() == '\xff', "a byte of zero ends a literal");
  for (uint32_t left = 1 + next(seed) % 6; left != 0; --left) {
    const size_t at = next(seed) % (text.size() + 1);
    const size_t length = 1 + next(seed) % 12;
    switch (next(seed) % 5) {
      case 0:
        text.insert(at, 1, likely[next(seed) % likely.size()]);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(next(seed) % (text.size() + 1), text.substr(at, length));
        break;
      case 3:
        text.insert(at, 1 + next(seed) % 40, next(seed) % 2 ? '[' : '9');
        break;
      default:
        if (at < text.size()) text[at] = likely[next(seed) % likely.size()];
        break;
    }
  }
  return text;
}

/// True if a member comes twice: with Boost the last one counts.
bool has_one_twice(const std::string& text) {
  for (const char* name :
       {"\"name", "is_urgent", "number", "\"id", "offset", "weight", "lines", "note", "table", "\"text", "indent"}) {
    const size_t first = text.find(name);
    if (first != std::string::npos && text.find(name, first + 1) != std::string::npos) return true;
  }
  return false;
}

/// Boost 1.81 reads the last bits of a fraction wrong.
bool are_same(message a, const message& b) {
  if (std::abs(a.weight - b.weight) <= 1e-14 * std::abs(b.weight)) a.weight = b.weight;
  return a == b;
}

/// Counts of texts by their results.
struct tally {
  unsigned texts = 0;
  unsigned accepted = 0;
  unsigned refused = 0;
  unsigned differing = 0;
};

}  // namespace

TEST_CASE("a text with mistakes is refused by a fault, and what is accepted is the same for all") {
  const std::string seeds[] = {
      R"({"name":"a \"n\" \u00e4 \ud83d\ude42","is_urgent":true,"number":-12,"id":18446744073709551615,"offset":-9223372036854775808,)"
      R"("weight":0.1e-3,"lines":[{"text":"t","indent":-5}],"note":null,"table":[[],[1,65535],[0]]})",
      R"( { "table" : [ ] , "lines":[],"weight":-1.5e2,"offset":-0,"extra":{"a":[null,{}]},"id":1,"number":2,"is_urgent":true,"name":"" } )",
  };
  const json_limits limits{4096, 12};
  fields_serializer<message> a(limits);
  rapidjson_serializer<message> b(limits);
  simdjson_serializer<message> c(limits);
  boost_json_serializer<message> d(limits);
  tally all;
  uint32_t seed = 1;
  for (; all.texts != 60000; ++all.texts) {
    const std::string text = mutated(seeds[all.texts % 2], seed);
    const json_result<message> results[] = {a.read(text), b.read(text), c.read(text), d.read(text)};
    for (const json_result<message>& r : results) {
      CHECK(r.value.has_value() == (r.error.fault == json_fault::none));
      ++(r ? all.accepted : all.refused);
      // Written and read again, it is the same.
      if (r) {
        const json_result<message> again = a.read(a.write(*r));
        CHECK(again);
        if (again) CHECK(*again == *r);
      }
    }
    for (const json_result<message>& r : results) {
      const bool is_boost = &r == &results[3];
      if (!r || !results[0] || (is_boost && has_one_twice(text))) continue;
      if (is_boost ? !are_same(*r, *results[0]) : !(*r == *results[0])) ++all.differing;
    }
  }
  CHECK(all.accepted > 1000);
  CHECK(all.refused > 10000);
  CHECK_EQ(all.differing, 0u);
}
