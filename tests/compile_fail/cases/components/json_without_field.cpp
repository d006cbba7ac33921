// SPDX-License-Identifier: MIT
// error: each element of fields<T>::all is to be a field
#include <baton/components/fields_serializer.hpp>

struct order {
  int pieces = 0;
};
template <>
struct baton::components::fields<order> {
#if FAILS
  static constexpr auto all = std::tuple{"pieces", &order::pieces};
#else
  static constexpr auto all = std::tuple{field{"pieces", &order::pieces}};
#endif
};

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
