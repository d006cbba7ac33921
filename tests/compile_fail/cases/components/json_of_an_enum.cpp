// SPDX-License-Identifier: MIT
// error: JSON has no enum: keep an integer or a std::string in the struct, and convert
#include <baton/components/fields_serializer.hpp>

enum class colour : uint8_t { red };
struct order {
#if FAILS
  colour paint = colour::red;
#else
  uint8_t paint = 0;
#endif
};
template <>
struct baton::components::fields<order> {
  static constexpr auto all = std::tuple{field{"paint", &order::paint}};
};

std::string text_of(const order& o) {
  return baton::components::fields_serializer<order>().write(o);
}
