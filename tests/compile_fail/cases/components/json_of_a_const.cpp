// SPDX-License-Identifier: MIT
// error: a const member cannot be read
#include <baton/components/fields_serializer.hpp>

struct order {
#if FAILS
  const int pieces = 1;
#else
  int pieces = 1;
#endif
};
template <>
struct baton::components::fields<order> {
  static constexpr auto all = std::tuple{field{"pieces", &order::pieces}};
};

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
