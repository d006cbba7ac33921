// SPDX-License-Identifier: MIT
// Compiled as C++14: a struct's fields are read below C++20 as they are above.
#include <baton/components/fields.hpp>
#include <baton/test/trace.hpp>
#include <stdint.h>
#include <string>

#if __cplusplus >= 201703L
#error "this test is for C++14"
#endif

namespace {

class pair_of_two {
 public:
  pair_of_two(int32_t a, bool b) : number_(a), is_set_(b) {}

 private:
  friend struct baton::components::fields<pair_of_two>;
  int32_t number_;
  bool is_set_;
};
struct with_a_pair {
  pair_of_two pair;
  std::string text;
};

}  // namespace

template <>
struct baton::components::fields<pair_of_two> {
  template <typename Visitor>
  static constexpr auto all(Visitor visit) {
    return visit(make_field("number", &pair_of_two::number_), make_field("is_set", &pair_of_two::is_set_));
  }
};
template <>
struct baton::components::fields<with_a_pair> {
  template <typename Visitor>
  static constexpr auto all(Visitor visit) {
    return visit(make_field("pair", &with_a_pair::pair), make_field("a \"text\"", &with_a_pair::text));
  }
};

namespace {

/// Counts the fields and the characters of their names, at compile time.
struct count {
  template <typename... Field>
  constexpr size_t operator()(const Field&... all) const {
    const size_t lengths[] = {all.length...};
    size_t sum = 100 * sizeof...(Field);
    for (const size_t one : lengths) sum += one;
    return sum;
  }
};
static_assert(baton::components::fields<pair_of_two>::all(count()) == 212, "two fields, twelve characters");

/// Prints a value, without escapes.
std::string text_of(bool b) {
  return b ? "true" : "false";
}
std::string text_of(int32_t n) {
  return std::to_string(n);
}
std::string text_of(const std::string& t) {
  return "\"" + t + "\"";
}
template <typename T>
std::string text_of(const T& value);

template <typename T>
struct print {
  template <typename... Field>
  std::string operator()(const Field&... all) const {
    const std::string parts[] = {std::string(all.name, all.length) + "=" + text_of(value.*all.at)...};
    std::string line;
    for (const std::string& one : parts) line += (line.empty() ? "" : " ") + one;
    return "{" + line + "}";
  }
  const T& value;
};
template <typename T>
std::string text_of(const T& value) {
  return baton::components::fields<T>::all(print<T>{value});
}

}  // namespace

TEST_CASE("a visitor of C++14 gets all fields of nested structs, private ones, too") {
  const with_a_pair w{{-7, true}, "t"};
  CHECK_EQ(text_of(w), std::string("{pair={number=-7 is_set=true} a \"text\"=\"t\"}"));
}
