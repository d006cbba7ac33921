// SPDX-License-Identifier: MIT
// error: specialize baton::components::fields for this type
#include <baton/components/fields_serializer.hpp>

struct order {
  int pieces = 0;
};
#if !FAILS
template <>
struct baton::components::fields<order> {
  static constexpr auto all = std::tuple{field{"pieces", &order::pieces}};
};
#endif

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
