// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace json_fuzz {

/// The parts of a text that libraries see differently. Of a text that is no JSON the facts are
/// those of its pieces.
struct text_facts {
  bool has_long_integer = false;    ///< more than 64 bits
  bool has_far_number = false;      ///< at the end of a double's range, or beyond
  bool has_far_mantissa = false;    ///< the same without the exponent
  bool has_large_exponent = false;  ///< above 308, whatever the number's value
  bool has_long_exponent = false;   ///< more than 32 bits
  bool has_one_twice = false;       ///< a name twice in one object
};

/// Reads a text by means of the standard library alone.
text_facts facts_of(std::string_view text);

}  // namespace json_fuzz
