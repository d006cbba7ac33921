// SPDX-License-Identifier: MIT
// error: a field is a data member: name one, not a member function
#include <baton/components/fields_serializer.hpp>

struct order {
  int count() { return pieces; }
  int pieces = 1;
};
template <>
struct baton::components::fields<order> {
#if FAILS
  static constexpr auto all = std::tuple{field { "pieces", &order::count }};
#else
  static constexpr auto all = std::tuple{field{"pieces", &order::pieces}};
#endif
};

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
