// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_reader.hpp>
#include <baton/components/json_text.hpp>
#include <baton/components/json_writer.hpp>
#include <simdjson.h>

namespace baton::BATON_VARIANT::components {

namespace detail {

struct simdjson_values {
  using value = simdjson::dom::element;

  static bool is_null(value v) { return v.is_null(); }
  static bool is_array(value v) { return v.is_array(); }
  static bool is_object(value v) { return v.is_object(); }
  static bool boolean(value v, bool& to) { return v.get(to) == simdjson::SUCCESS; }
  static json_fault text(value v, std::string& to) {
    std::string_view t;
    if (v.get(t) != simdjson::SUCCESS) return json_fault::wrong_type;
    to.assign(t);
    return json_fault::none;
  }
  static json_number number(value v) {
    json_number n;
    switch (v.type()) {
      case simdjson::dom::element_type::INT64:
        n.kind =
            v.get(n.below_zero) == simdjson::SUCCESS && n.below_zero < 0 ? json_number::negative : json_number::natural;
        n.from_zero = static_cast<uint64_t>(n.below_zero);
        return n;
      case simdjson::dom::element_type::UINT64:
        n.kind = v.get(n.from_zero) == simdjson::SUCCESS ? json_number::natural : json_number::none;
        return n;
      case simdjson::dom::element_type::DOUBLE:
        n.kind = v.get(n.fraction) == simdjson::SUCCESS ? json_number::real : json_number::none;
        return n;
      default:
        return n;
    }
  }
  template <typename Each>
  static bool each(value v, Each f) {
    simdjson::dom::array all;
    if (v.get(all) != simdjson::SUCCESS) return false;
    for (const value one : all) {
      if (!f(one)) return false;
    }
    return true;
  }
  static bool find(value v, std::string_view name, value& found) {
    simdjson::dom::object all;
    return v.get(all) == simdjson::SUCCESS && all.at_key(name).get(found) == simdjson::SUCCESS;
  }

  /// True if a value nests deeper than `most`. simdjson does not count what is empty.
  static bool is_deeper(value v, unsigned most) {
    simdjson::dom::array array;
    if (v.get(array) == simdjson::SUCCESS) {
      if (most == 0) return true;
      for (const value one : array) {
        if (is_deeper(one, most - 1)) return true;
      }
    }
    simdjson::dom::object object;
    if (v.get(object) == simdjson::SUCCESS) {
      if (most == 0) return true;
      for (const simdjson::dom::key_value_pair one : object) {
        if (is_deeper(one.value, most - 1)) return true;
      }
    }
    return false;
  }
};

}  // namespace detail

/// A serializer over simdjson, which only reads; `json_text` writes.
///
/// Shape    it keeps the memory of the largest text that it has read.
template <typename T>
class simdjson_serializer final : public serializer<T> {
 public:
  explicit simdjson_serializer(json_limits l = {}) : limits_(l), parser_(l.bytes) {
    if (parser_.allocate(0, l.depth + size_t{1}) != simdjson::SUCCESS) throw std::bad_alloc();
  }

  std::string write(const T& value) override {
    json_text to;
    detail::write_json(to, value);
    return std::move(to).str();
  }
  json_result<T> read(std::string_view text) override {
    if (text.size() > limits_.bytes) return detail::refused<T>(json_fault::too_large);
    simdjson::dom::element all;
    const simdjson::error_code error = parser_.parse(text.data(), text.size()).get(all);
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    if (error != simdjson::SUCCESS)
      return detail::refused<T>(error == simdjson::DEPTH_ERROR ? json_fault::too_deep : json_fault::malformed);
    const bool may_be_deeper = text.size() / 2 > limits_.depth;  // a level has two brackets
    if (may_be_deeper && detail::simdjson_values::is_deeper(all, limits_.depth))
      return detail::refused<T>(json_fault::too_deep);
    return detail::read_json<detail::simdjson_values, T>(all);
  }

 private:
  const json_limits limits_;
  simdjson::dom::parser parser_;
};

}  // namespace baton::BATON_VARIANT::components
