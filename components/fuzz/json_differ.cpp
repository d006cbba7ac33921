// SPDX-License-Identifier: MIT
#include "json_differ.hpp"

#include <cmath>

namespace json_fuzz {

namespace {

using result = json_result<message>;

constexpr const char* names[] = {"RapidJSON", "simdjson", "Boost.JSON"};

bool is(const result& r, json_fault f) {
  return r.error.fault == f;
}
bool is_about_syntax(const result& r) {
  return is(r, json_fault::malformed) || is(r, json_fault::too_deep);
}

bool are_same(const result& a, const result& b) {
  if (a && b) return *a == *b;
  return a.error.fault == b.error.fault && a.error.path == b.error.path;
}

/// Equal but for the last bits of the fraction.
bool are_near(message a, const message& b) {
  const double error = std::abs(a.weight - b.weight);
  if (error <= 1e-14 * std::abs(b.weight) || error < 1e-300) a.weight = b.weight;
  return a == b;
}

std::string described(const result& r) {
  constexpr const char* faults[] = {"none",       "malformed",    "too_large",    "too_deep",
                                    "wrong_type", "out_of_range", "missing_field"};
  if (r) return "accepts it";
  return std::string("says ") + faults[static_cast<uint8_t>(r.error.fault)] + " at '" + r.error.path + "'";
}

}  // namespace

const std::array<explanation, count_of_explanations> explanations = {{
    {"malformed and too deep: either is told",
     [](libraries, const text_facts&, const result& a, const result& b) {
       return is_about_syntax(a) && is_about_syntax(b) && !are_same(a, b);
     }},
    {"simdjson has no number beyond 64 bits and none beyond a double",
     [](libraries l, const text_facts& f, const result& a, const result& b) {
       const bool has = f.has_long_integer || f.has_far_number || f.has_large_exponent;
       return l == simdjson && has && !is_about_syntax(a) && is(b, json_fault::malformed);
     }},
    {"RapidJSON has no number and no mantissa beyond a double, and no large exponent",
     [](libraries l, const text_facts& f, const result& a, const result& b) {
       const bool has = f.has_far_number || f.has_far_mantissa || f.has_large_exponent;
       return l == rapidjson && has && !is_about_syntax(a) && is(b, json_fault::malformed);
     }},
    {"RapidJSON and Boost take a long integer for a fraction",
     [](libraries, const text_facts& f, const result& a, const result& b) {
       return f.has_long_integer && is(a, json_fault::out_of_range) && is(b, json_fault::wrong_type) &&
              a.error.path == b.error.path;
     }},
    {"of two members of one name Boost takes the last",
     [](libraries l, const text_facts& f, const result& a, const result& b) {
       return l == boost_json && f.has_one_twice && !is_about_syntax(a) && !is_about_syntax(b);
     }},
    {"Boost has no exponent of more than 32 bits",
     [](libraries l, const text_facts& f, const result& a, const result& b) {
       return l == boost_json && f.has_long_exponent && !is_about_syntax(a) && is(b, json_fault::malformed);
     }},
    {"Boost reads the last bits of a fraction wrong",
     [](libraries l, const text_facts&, const result& a, const result& b) {
       return l == boost_json && a && b && are_near(*b, *a);
     }},
    {"with Boost these bits decide at the end of a double's range, and zero with a large exponent is beyond it",
     [](libraries l, const text_facts& f, const result& a, const result& b) {
       return l == boost_json && (f.has_far_number || f.has_large_exponent) && !is_about_syntax(a) &&
              !is_about_syntax(b);
     }},
}};

std::string differ::difference(std::string_view text) {
  const result ours = ours_.read(text);
  ++(ours ? accepted : refused);
  if (ours.value.has_value() != is(ours, json_fault::none)) return "ours has a value and a fault, or neither";
  const text_facts facts = facts_of(text);
  for (uint8_t k = 0; k != count_of_libraries; ++k) {
    const libraries library = static_cast<libraries>(k);
    const result theirs = theirs_[library]->read(text);
    if (are_same(ours, theirs)) continue;
    size_t i = 0;
    while (i != explanations.size() && !explanations[i].holds(library, facts, ours, theirs)) ++i;
    if (i == explanations.size())
      return "fields_serializer " + described(ours) + ", " + names[library] + " " + described(theirs);
    ++explained[i];
  }
  return ours ? round_trips(*ours) : std::string();
}

/// Each writes the value, and each reads what all have written.
std::string differ::round_trips(const message& value) {
  serializer<message>* const all[] = {&ours_, &rapidjson_, &simdjson_, &boost_json_};
  for (serializer<message>* writer : all) {
    const std::string text = writer->write(value);
    for (serializer<message>* reader : all) {
      const result again = reader->read(text);
      const bool is_same = again && (reader == &boost_json_ ? are_near(*again, value) : *again == value);
      const bool is_at_end = reader == &boost_json_ && std::abs(value.weight) > 1e307;
      if (!is_same && !is_at_end)
        return "read again, it is another: " + printable(text) + ", a reader " + described(again);
    }
  }
  return {};
}

std::string printable(std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string all;
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 0x7f) {
      all += c;
    } else {
      all.append("<").append(1, hex[byte >> 4]).append(1, hex[byte & 15]).append(">");
    }
  }
  return all;
}

}  // namespace json_fuzz
