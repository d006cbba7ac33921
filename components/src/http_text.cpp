// SPDX-License-Identifier: MIT
#include <baton/components/http_events.hpp>

namespace baton::BATON_VARIANT::components {

static int digit_of(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string all;
  all.reserve(text.size());
  for (size_t i = 0; i != text.size(); ++i) {
    if (text[i] != '%') {
      all += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : digit_of(text[i + 2]);
    if (low < 0) return {};
    all += static_cast<char>(16 * high + low);
    i += 2;
  }
  return all;
}

static void add_field(std::string& to, std::string_view name, const std::string& value) {
  if (value.empty()) return;
  to += name;
  for (const char c : value) {
    if (c != '\r' && c != '\n' && c != '\0') to += c;
  }
  to += '\n';
}

std::string text_of(const sent_event& e) {
  std::string all;
  add_field(all, "event: ", e.name);
  add_field(all, "id: ", e.id);
  for (size_t at = 0; !e.data.empty() && at <= e.data.size();) {
    const size_t found = e.data.find_first_of("\r\n", at);
    const size_t end = found == std::string::npos ? e.data.size() : found;
    all += "data: ";
    all.append(e.data, at, end - at);
    all += '\n';
    at = end + (e.data.compare(end, 2, "\r\n") == 0 ? 2 : 1);
  }
  return all + "\n";
}

}  // namespace baton::BATON_VARIANT::components
