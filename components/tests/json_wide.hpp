// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_fields.hpp>
#include <cstdint>
#include <utility>

/// Structs that show the bounds of `fields`: names, numbers of members, depth.
namespace json_test {

struct named_oddly {
  int32_t none = 0, quoted = 0, control = 0, umlaut = 0, longer = 0;
};
struct optionals {
  std::optional<int32_t> a = 5;
  std::optional<std::string> b = "not cleared";
  std::optional<std::vector<std::optional<uint8_t>>> c;
};
struct sizes {
  int8_t a = 0;
  uint8_t b = 0;
  int64_t c = 0;
  uint64_t d = 0;
};
struct node {
  std::vector<node> below;
};
struct reals {
  std::vector<double> all;
};

constexpr size_t count_of_wide = 70;
template <size_t I>
struct slot {
  int value = -1;
};
template <typename Numbers>
struct slots;
template <size_t... I>
struct slots<std::index_sequence<I...>> : slot<I>... {};
/// A struct of 70 members, m0 to m69.
struct wide : slots<std::make_index_sequence<count_of_wide>> {};

template <size_t... I>
int& member_of_slots(wide& w, size_t i, std::index_sequence<I...>) {
  int* const all[] = {&static_cast<slot<I>&>(w).value...};
  return *all[i];
}
inline int& member_of_wide(wide& w, size_t i) {
  return member_of_slots(w, i, std::make_index_sequence<count_of_wide>());
}
template <size_t I>
constexpr char name_of_slot[] = {'m', static_cast<char>(I < 10 ? '0' + I : '0' + I / 10),
                                 static_cast<char>(I < 10 ? '\0' : '0' + I % 10), '\0'};

}  // namespace json_test

template <>
struct baton::components::fields<json_test::named_oddly> {
  using type = json_test::named_oddly;
  template <typename Visitor>
  static constexpr auto all(Visitor visit) {
    return visit(make_field("", &type::none), make_field("a \"b\" \\", &type::quoted),
                 make_field("\n\x01", &type::control), make_field("\xc3\xa4", &type::umlaut),
                 make_field("a rather long name of a field", &type::longer));
  }
};
template <>
struct baton::components::fields<json_test::optionals> {
  using type = json_test::optionals;
  static constexpr auto all = std::tuple{field{"a", &type::a}, field{"b", &type::b}, field{"c", &type::c}};
};
template <>
struct baton::components::fields<json_test::sizes> {
  using type = json_test::sizes;
  static constexpr auto all =
      std::tuple{field{"a", &type::a}, field{"b", &type::b}, field{"c", &type::c}, field{"d", &type::d}};
};
template <>
struct baton::components::fields<json_test::node> {
  static constexpr auto all = std::tuple{field{"below", &json_test::node::below}};
};
template <>
struct baton::components::fields<json_test::reals> {
  static constexpr auto all = std::tuple{field{"all", &json_test::reals::all}};
};
template <>
struct baton::components::fields<json_test::wide> {
  template <typename Visitor>
  static constexpr auto all(Visitor visit) {
    return each(visit, std::make_index_sequence<json_test::count_of_wide>());
  }
  template <typename Visitor, size_t... I>
  static constexpr auto each(Visitor visit, std::index_sequence<I...>) {
    return visit(make_field(json_test::name_of_slot<I>, &json_test::slot<I>::value)...);
  }
};
