// SPDX-License-Identifier: MIT
// error: JSON has no pointer and no array of C: use std::string, std::vector or std::optional
#include <baton/components/fields_serializer.hpp>

struct order {
#if FAILS
  const char* to = "";
#else
  std::string to;
#endif
};
template <>
struct baton::components::fields<order> {
  static constexpr auto all = std::tuple{field{"to", &order::to}};
};

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
