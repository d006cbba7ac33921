// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <cstdio>
#include <ctime>
#include <string>

namespace baton::BATON_VARIANT::components::detail {

/// The value of the header `Date`, which is formed once per second.
/// Source   RFC 9110, 5.6.7, 6.6.1.
class http_date {
 public:
  const std::string& now() {
    const std::time_t at = std::time(nullptr);
    if (at != at_) write(at);
    return text_;
  }

 private:
  void write(std::time_t at) {
    // The names are English in each locale.
    static constexpr const char* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                             "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::tm parts{};
    gmtime_r(&at, &parts);
    char text[64];
    const int length =
        std::snprintf(text, sizeof text, "%s, %02d %s %d %02d:%02d:%02d GMT", days[parts.tm_wday], parts.tm_mday,
                      months[parts.tm_mon], 1900 + parts.tm_year, parts.tm_hour, parts.tm_min, parts.tm_sec);
    text_.assign(text, static_cast<size_t>(length));
    at_ = at;
  }

  std::time_t at_ = -1;
  std::string text_;
};

}  // namespace baton::BATON_VARIANT::components::detail
