// SPDX-License-Identifier: MIT
// error: private
#include <baton/components/fields_serializer.hpp>

class order {
#if !FAILS
  friend struct baton::components::fields<order>;
#endif
  int pieces = 0;
};
template <>
struct baton::components::fields<order> {
  static constexpr auto all = std::tuple{field{"pieces", &order::pieces}};
};

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
