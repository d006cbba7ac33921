// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <baton/components/boost_json_serializer.hpp>
#include <baton/components/fields_serializer.hpp>
#include <baton/components/rapidjson_serializer.hpp>
#include <baton/components/simdjson_serializer.hpp>
#include <string>
#include <string_view>

#include "json_facts.hpp"
#include "json_message.hpp"

namespace json_fuzz {

using baton::components::json_fault;
using baton::components::json_limits;
using baton::components::json_result;
using baton::components::serializer;
using json_test::message;

enum libraries : uint8_t { rapidjson, simdjson, boost_json, count_of_libraries };

/// A difference that is known, with its reason.
struct explanation {
  const char* why;
  bool (*holds)(libraries, const text_facts&, const json_result<message>& ours, const json_result<message>& theirs);
};
constexpr size_t count_of_explanations = 8;
extern const std::array<explanation, count_of_explanations> explanations;

/// Gives a text to `fields_serializer` and to the three libraries, and what they have read to all
/// writers and readers.
class differ {
 public:
  /// Describes what differs without an explanation; empty: nothing does.
  std::string difference(std::string_view text);

  uint64_t accepted = 0, refused = 0;
  std::array<uint64_t, count_of_explanations> explained{};  ///< how often each was the reason

 private:
  std::string round_trips(const message& value);

  static constexpr json_limits limits{8192, 12};
  baton::components::fields_serializer<message> ours_{limits};
  baton::components::rapidjson_serializer<message> rapidjson_{limits};
  baton::components::simdjson_serializer<message> simdjson_{limits};
  baton::components::boost_json_serializer<message> boost_json_{limits};
  const std::array<serializer<message>*, count_of_libraries> theirs_{&rapidjson_, &simdjson_, &boost_json_};
};

/// A text in printable characters.
std::string printable(std::string_view text);

}  // namespace json_fuzz
