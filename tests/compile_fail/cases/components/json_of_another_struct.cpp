// SPDX-License-Identifier: MIT
// error: this field is another struct.s: name a member of this one
#include <baton/components/fields_serializer.hpp>

struct item {
  int pieces = 0;
};
struct order {
  int pieces = 0;
};
template <>
struct baton::components::fields<order> {
#if FAILS
  static constexpr auto all = std::tuple{field { "pieces", &item::pieces }};
#else
  static constexpr auto all = std::tuple{field{"pieces", &order::pieces}};
#endif
};

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
