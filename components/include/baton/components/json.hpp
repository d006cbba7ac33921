// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_types.hpp>
#include <stdexcept>
#include <utility>

namespace baton::BATON_VARIANT::components {

/// The kinds of mistakes in a text.
enum class json_fault : uint8_t {
  none,
  malformed,      ///< it is not JSON, or not UTF-8
  too_large,      ///< more bytes than the limit
  too_deep,       ///< more arrays and objects inside each other than the limit
  wrong_type,     ///< a member has another type
  out_of_range,   ///< a number does not fit its member
  missing_field,  ///< a member that is not optional is missing
};

/// The reason that a text was refused.
struct json_error {
  json_fault fault = json_fault::none;
  std::string path;  ///< of the member: "orders[2].price"; empty: the whole text
};

/// The value that was read, or the reason that there is none.
template <typename T>
struct json_result {
  std::optional<T> value;
  json_error error;

  explicit operator bool() const noexcept { return value.has_value(); }
  const T& operator*() const& { return *value; }
  T&& operator*() && { return *std::move(value); }
  const T* operator->() const { return &*value; }
};

/// Limits that a text is checked against before it is read.
struct json_limits {
  size_t bytes = size_t{1} << 20;
  unsigned depth = 32;  ///< arrays and objects inside each other; below 1000
};

/// Turns a struct into JSON, and JSON into a struct. An interface; `fields_serializer` implements
/// it without a library, and `rapidjson_serializer`, `boost_json_serializer` and
/// `simdjson_serializer` over one.
///
///     app.add<fields_serializer<message>, serializer<message>>();
///
/// Shape    `T` has `fields`. A member of the text that is not a field is skipped. Of two members
///          of one name the first counts; with Boost.JSON the last.
/// Context  as a service: its worker's thread.
/// Errors   `read`: see `json_fault`. `write` throws std::invalid_argument for what JSON cannot
///          express: a number that is not finite, and a text that is not UTF-8.
template <typename T>
class serializer {
  static_assert(detail::check_fields<T>());

 public:
  serializer(const serializer&) = delete;
  serializer& operator=(const serializer&) = delete;
  virtual ~serializer() = default;

  virtual std::string write(const T& value) = 0;
  virtual json_result<T> read(std::string_view text) = 0;

 protected:
  serializer() = default;
};

}  // namespace baton::BATON_VARIANT::components
