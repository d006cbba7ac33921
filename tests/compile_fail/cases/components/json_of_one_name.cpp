// SPDX-License-Identifier: MIT
// error: two fields of this struct have one name: give each another
#include <baton/components/fields_serializer.hpp>

struct order {
  int pieces = 0;
  int boxes = 0;
};
template <>
struct baton::components::fields<order> {
#if FAILS
  static constexpr auto all = std::tuple{field{"pieces", &order::pieces}, field { "pieces", &order::boxes }};
#else
  static constexpr auto all = std::tuple{field{"pieces", &order::pieces}, field{"boxes", &order::boxes}};
#endif
};

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
