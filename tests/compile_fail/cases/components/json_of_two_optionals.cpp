// SPDX-License-Identifier: MIT
// error: JSON has one null: keep one std::optional around this type, not two
#include <baton/components/fields_serializer.hpp>

struct order {
#if FAILS
  std::optional<std::optional<int>> pieces;
#else
  std::optional<int> pieces;
#endif
};
template <>
struct baton::components::fields<order> {
  static constexpr auto all = std::tuple{field{"pieces", &order::pieces}};
};

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
