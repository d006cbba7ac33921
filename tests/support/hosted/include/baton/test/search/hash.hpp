// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace baton {
namespace test {
namespace search {

/// A hash of words and bytes, in their order.
class hash {
 public:
  void add(uint64_t word) {
    value_ = (value_ ^ word) * 0x9e3779b97f4a7c15u;
    value_ = (value_ ^ value_ >> 32) * 0xd6e8feb86659fd93u;
    value_ ^= value_ >> 29;
  }

  void add(const void* bytes, size_t size) {
    const unsigned char* from = static_cast<const unsigned char*>(bytes);
    for (; size >= sizeof(uint64_t); from += sizeof(uint64_t), size -= sizeof(uint64_t)) {
      uint64_t word;
      memcpy(&word, from, sizeof word);
      add(word);
    }
    uint64_t last = size;
    memcpy(&last, from, size);
    if (size != 0) add(last);
  }

  /// Never 0.
  uint64_t value() const { return value_ == 0 ? 1 : value_; }

 private:
  uint64_t value_ = 0;
};

}  // namespace search
}  // namespace test
}  // namespace baton
