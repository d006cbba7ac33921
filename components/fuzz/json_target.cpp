// SPDX-License-Identifier: MIT
//
// A target of libFuzzer, in the form of OSS-Fuzz: any bytes as a text of JSON.
#include <cstdio>
#include <cstdlib>

#include "json_differ.hpp"

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static json_fuzz::differ differ;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string difference = differ.difference(text);
  if (difference.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", difference.c_str(), json_fuzz::printable(text).c_str());
  std::abort();
}
