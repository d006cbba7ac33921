// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json.hpp>
#include <cmath>
#include <limits>

/// Reads a struct from a library's values.
namespace baton::BATON_VARIANT::components::detail {

/// A number as a library has read it.
struct json_number {
  enum kinds : uint8_t { none, negative, natural, real };
  kinds kind = none;
  int64_t below_zero = 0;
  uint64_t from_zero = 0;
  double fraction = 0;
};

/// Reads values of a `Library`, whose static functions are:
///
///     using value = ...;                            // a handle
///     bool is_null(value); bool is_array(value); bool is_object(value);
///     bool boolean(value, bool&);                   // false: the value is not a bool
///     json_fault text(value, std::string&);
///     json_number number(value);
///     bool each(value array, f);                    // until f(value) returns false
///     bool find(value object, std::string_view name, value&);
///
/// Shape    functions return false when they have set the error and its path.
template <typename Library>
class json_reader {
 public:
  using value = typename Library::value;

  template <typename T>
  bool read(value v, T& to) {
    if constexpr (std::is_same_v<T, bool>) {
      return Library::boolean(v, to) || refuse(json_fault::wrong_type);
    } else if constexpr (std::is_arithmetic_v<T>) {
      return read_number(Library::number(v), to);
    } else if constexpr (std::is_same_v<T, std::string>) {
      const json_fault fault = Library::text(v, to);
      return fault == json_fault::none || refuse(fault);
    } else if constexpr (is_optional<T>) {
      if (Library::is_null(v)) return to.reset(), true;
      return read(v, to.emplace());
    } else if constexpr (is_vector<T>) {
      return read_array(v, to);
    } else {
      static_assert(check_fields<T>());
      return read_object(v, to);
    }
  }
  json_error error;

 private:
  bool refuse(json_fault f) {
    error.fault = f;
    return false;
  }
  bool below(std::string_view step) {
    const bool dot = !error.path.empty() && error.path.front() != '[';
    error.path.insert(0, dot ? "." : "").insert(0, step);
    return false;
  }

  template <typename T>
  bool read_number(const json_number& n, T& to) {
    if (n.kind == json_number::none) return refuse(json_fault::wrong_type);
    if constexpr (std::is_floating_point_v<T>) {
      const double d = n.kind == json_number::real      ? n.fraction
                       : n.kind == json_number::natural ? static_cast<double>(n.from_zero)
                                                        : static_cast<double>(n.below_zero);
      if (!std::isfinite(d) || std::abs(d) > static_cast<double>(std::numeric_limits<T>::max())) {
        return refuse(json_fault::out_of_range);
      }
      to = static_cast<T>(d);
      return true;
    } else {
      if (n.kind == json_number::real) return refuse(json_fault::wrong_type);
      using limits = std::numeric_limits<T>;
      const bool fits = n.kind == json_number::natural
                            ? n.from_zero <= static_cast<uint64_t>(limits::max())
                            : n.below_zero >= static_cast<int64_t>(limits::min()) && std::is_signed_v<T>;
      if (!fits) return refuse(json_fault::out_of_range);
      to = n.kind == json_number::natural ? static_cast<T>(n.from_zero) : static_cast<T>(n.below_zero);
      return true;
    }
  }
  template <typename T>
  bool read_array(value v, std::vector<T>& to) {
    if (!Library::is_array(v)) return refuse(json_fault::wrong_type);
    to.clear();
    return Library::each(v, [&](value one) {
      T read_one{};
      if (!read(one, read_one)) return below("[" + std::to_string(to.size()) + "]");
      to.push_back(std::move(read_one));
      return true;
    });
  }
  template <typename T>
  bool read_object(value v, T& to) {
    if (!Library::is_object(v)) return refuse(json_fault::wrong_type);
    return each_field<T>([&](const auto& f) {
      using member = typename std::remove_cvref_t<decltype(f)>::value;
      value found{};
      if (Library::find(v, name_of(f), found)) return read(found, to.*f.at) || below(name_of(f));
      if constexpr (is_optional<member>) {
        (to.*f.at).reset();
        return true;
      } else {
        refuse(json_fault::missing_field);
        return below(name_of(f));
      }
    });
  }
};

/// Reads a struct from a library's value.
template <typename Library, typename T>
json_result<T> read_json(typename Library::value root) {
  json_result<T> result;
  json_reader<Library> reader;
  T value{};
  if (reader.read(root, value)) {
    result.value.emplace(std::move(value));
  } else {
    result.error = std::move(reader.error);
  }
  return result;
}
template <typename T>
json_result<T> refused(json_fault f) {
  return {std::nullopt, {f, {}}};
}

}  // namespace baton::BATON_VARIANT::components::detail
