// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The structs that the tests of JSON read and write.
namespace json_test {

struct line {
  std::string text;
  int8_t indent = 0;
  friend bool operator==(const line&, const line&) = default;
};
struct message {
  std::string name;
  bool is_urgent = false;
  int32_t number = 0;
  uint64_t id = 0;
  int64_t offset = 0;
  double weight = 0;
  std::vector<line> lines;
  std::optional<std::string> note;
  std::vector<std::vector<uint16_t>> table;
  friend bool operator==(const message&, const message&) = default;
};

}  // namespace json_test

template <>
struct baton::components::fields<json_test::line> {
  static constexpr auto all =
      std::tuple{field{"text", &json_test::line::text}, field{"indent", &json_test::line::indent}};
};
template <>
struct baton::components::fields<json_test::message> {
  using message = json_test::message;
  static constexpr auto all = std::tuple{
      field{"name", &message::name},   field{"is_urgent", &message::is_urgent}, field{"number", &message::number},
      field{"id", &message::id},       field{"offset", &message::offset},       field{"weight", &message::weight},
      field{"lines", &message::lines}, field{"note", &message::note},           field{"table", &message::table}};
};
