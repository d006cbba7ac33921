// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_reader.hpp>
#include <baton/components/json_writer.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace baton::BATON_VARIANT::components {

namespace detail {

struct boost_json_values {
  using value = const boost::json::value*;

  static boost::json::string_view view(std::string_view t) { return {t.data(), t.size()}; }

  static bool is_null(value v) { return v->is_null(); }
  static bool is_array(value v) { return v->is_array(); }
  static bool is_object(value v) { return v->is_object(); }
  static bool boolean(value v, bool& to) { return v->is_bool() ? (to = v->get_bool(), true) : false; }
  static json_fault text(value v, std::string& to) {
    if (!v->is_string()) return json_fault::wrong_type;
    to.assign(v->get_string().data(), v->get_string().size());
    return json_fault::none;
  }
  static json_number number(value v) {
    if (v->is_uint64()) return {json_number::natural, 0, v->get_uint64(), 0};
    if (v->is_double()) return {json_number::real, 0, 0, v->get_double()};
    if (!v->is_int64()) return {};
    const int64_t n = v->get_int64();
    return n < 0 ? json_number{json_number::negative, n, 0, 0}
                 : json_number{json_number::natural, 0, static_cast<uint64_t>(n), 0};
  }
  template <typename Each>
  static bool each(value v, Each f) {
    for (const boost::json::value& one : v->get_array()) {
      if (!f(&one)) return false;
    }
    return true;
  }
  static bool find(value v, std::string_view name, value& found) {
    found = v->get_object().if_contains(view(name));
    return found != nullptr;
  }

  /// Builds the library's value of a struct.
  template <typename T>
  static boost::json::value built(const T& value, const boost::json::storage_ptr& in) {
    if constexpr (std::is_floating_point_v<T>) {
      return boost::json::value(finite(static_cast<double>(value)), in);
    } else if constexpr (std::is_arithmetic_v<T>) {
      return boost::json::value(value, in);
    } else if constexpr (std::is_same_v<T, std::string>) {
      return boost::json::value(view(utf8(value)), in);
    } else if constexpr (is_optional<T>) {
      return value ? built(*value, in) : boost::json::value(nullptr, in);
    } else if constexpr (is_vector<T>) {
      boost::json::array all(in);
      all.reserve(value.size());
      for (const auto& one : value) all.push_back(built(static_cast<const typename T::value_type&>(one), in));
      return boost::json::value(std::move(all), in);
    } else {
      static_assert(check_fields<T>());
      boost::json::object all(in);
      each_field<T>([&](const auto& f) {
        const auto& member = value.*f.at;
        if constexpr (is_optional<std::remove_cvref_t<decltype(member)>>) {
          if (!member) return true;
        }
        all.emplace(view(name_of(f)), built(member, in));
        return true;
      });
      return boost::json::value(std::move(all), in);
    }
  }
};

}  // namespace detail

/// A serializer over Boost.JSON, whose compiled library has to be linked.
template <typename T>
class boost_json_serializer final : public serializer<T> {
 public:
  explicit boost_json_serializer(json_limits l = {}) : limits_(l) {}

  std::string write(const T& value) override {
    boost::json::monotonic_resource memory;
    return boost::json::serialize(detail::boost_json_values::built(value, &memory));
  }
  json_result<T> read(std::string_view text) override {
    if (text.size() > limits_.bytes) return detail::refused<T>(json_fault::too_large);
    boost::json::monotonic_resource memory;
    boost::json::parser parser({}, options(limits_));
    parser.reset(&memory);
    boost::json::error_code error;
    parser.write(text.data(), text.size(), error);
    if (error)
      return detail::refused<T>(error == boost::json::error::too_deep ? json_fault::too_deep : json_fault::malformed);
    const boost::json::value all = parser.release();
    return detail::read_json<detail::boost_json_values, T>(&all);
  }

 private:
  static boost::json::parse_options options(const json_limits& l) {
    boost::json::parse_options o;
    o.max_depth = l.depth;
    return o;
  }

  const json_limits limits_;
};

}  // namespace baton::BATON_VARIANT::components
