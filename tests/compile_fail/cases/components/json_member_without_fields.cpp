// SPDX-License-Identifier: MIT
// error: specialize baton::components::fields for this struct
#include <baton/components/fields_serializer.hpp>

struct item {
  int pieces = 0;
};
struct order {
  std::vector<item> items;
};
#if !FAILS
template <>
struct baton::components::fields<item> {
  static constexpr auto all = std::tuple{field{"pieces", &item::pieces}};
};
#endif
template <>
struct baton::components::fields<order> {
  static constexpr auto all = std::tuple{field{"items", &order::items}};
};

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
