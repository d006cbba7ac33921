// SPDX-License-Identifier: MIT
// error: of the standard types JSON has std::string, std::vector and std::optional alone
#include <baton/components/fields_serializer.hpp>
#include <map>

struct order {
#if FAILS
  std::map<std::string, int> pieces;
#else
  std::vector<int> pieces;
#endif
};
template <>
struct baton::components::fields<order> {
  static constexpr auto all = std::tuple{field{"pieces", &order::pieces}};
};

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
