// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_struct_reader.hpp>
#include <baton/components/json_struct_writer.hpp>

namespace baton::BATON_VARIANT::components {

/// A serializer without a library: straight between the text and the struct, by code that the
/// compiler makes of its `fields`.
///
/// Shape    strictly RFC 8259. Of two members of one name the first counts. A text that is both too
///          deep and malformed is refused for what comes first in it.
/// Cost     O(bytes), times the logarithm of the number of fields for members that are not in the
///          order of the fields; no heap but the text's and the struct's own.
///          bench/suites/service.cpp, case serialize.
/// Source   docs/decisions/0041-json-over-fields.md.
template <typename T>
class fields_serializer final : public serializer<T> {
 public:
  explicit fields_serializer(json_limits l = {}) : limits_(l) {}

  std::string write(const T& value) override {
    detail::json_struct_writer to;
    to.write(value);
    return std::move(to).str();
  }
  json_result<T> read(std::string_view text) override {
    json_result<T> result;
    if (text.size() > limits_.bytes) [[unlikely]] {
      result.error.fault = json_fault::too_large;
      return result;
    }
    detail::json_struct_reader in(text, limits_.depth);
    const char* p = in.read(in.few_blanks(text.data()), result.value.emplace());
    if (p) [[likely]]
      p = in.few_blanks(p);
    if (p == in.end && in.error.fault == json_fault::none) [[likely]]
      return result;
    result.value.reset();
    if (p == in.end) {
      result.error = std::move(in.error);
    } else {
      result.error.fault = p ? json_fault::malformed : in.stop;
    }
    return result;
  }

 private:
  const json_limits limits_;
};

}  // namespace baton::BATON_VARIANT::components
