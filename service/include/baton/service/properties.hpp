// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::BATON_VARIANT::service {

/// The value of a property.
using property = std::variant<bool, int64_t, double, std::string>;

/// Names and values that a service is given beside its arguments, and by which other services
/// choose it.
///
/// Shape    a vector in the order in which the properties were set, searched from the front.
class properties {
 public:
  struct one {
    template <typename T>
    one(std::string_view n, T&& v) : name(n), value(held(std::forward<T>(v))) {}
    std::string name;
    property value;
  };

  properties() = default;
  properties(std::initializer_list<one> all) {
    for (const one& p : all) set(p.name, p.value);
  }

  void set(std::string_view name, property value) {
    for (one& p : all_) {
      if (p.name == name) {
        p.value = std::move(value);
        return;
      }
    }
    all_.emplace_back(name, std::move(value));
  }

  /// The value of the property of that name and type, as in `find<std::string>("level")`; null if
  /// there is none.
  template <typename T>
  const T* find(std::string_view name) const noexcept {
    for (const one& p : all_) {
      if (p.name == name) return std::get_if<T>(&p.value);
    }
    return nullptr;
  }
  template <typename T>
  T get_or(std::string_view name, T otherwise) const {
    const T* const found = find<T>(name);
    return found ? *found : otherwise;
  }

  bool empty() const noexcept { return all_.empty(); }
  auto begin() const noexcept { return all_.begin(); }
  auto end() const noexcept { return all_.end(); }

 private:
  static property held(bool v) { return v; }
  static property held(std::integral auto v) { return static_cast<int64_t>(v); }
  static property held(std::floating_point auto v) { return static_cast<double>(v); }
  static property held(std::string v) { return v; }
  static property held(std::string_view v) { return std::string(v); }
  static property held(const char* v) { return std::string(v); }
  static property held(property v) { return v; }

  std::vector<one> all_;
};

}  // namespace baton::BATON_VARIANT::service
