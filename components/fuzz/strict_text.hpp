// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace http_fuzz {

enum class utf8 : uint8_t { whole, cut, wrong };

/// Tells whether a text is UTF-8; `cut`: its last character is not complete.
/// Source   RFC 3629, 4.
utf8 utf8_of(std::string_view text);

}  // namespace http_fuzz
