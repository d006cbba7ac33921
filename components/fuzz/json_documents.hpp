// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Documents for the fuzzers of JSON.
namespace json_fuzz {

/// Numbers of a seed, the same on every machine.
class dice {
 public:
  explicit dice(uint64_t seed) noexcept : state_(seed * 0x9e3779b97f4a7c15 + 1) {}
  /// A number below `n`.
  uint32_t below(uint32_t n) noexcept {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<uint32_t>((state_ >> 20) % n);
  }
  bool one_in(uint32_t n) noexcept { return below(n) == 0; }
  template <size_t N>
  std::string_view any_of(const std::string_view (&all)[N]) noexcept {
    return all[below(N)];
  }

 private:
  uint64_t state_;
};

/// Makes documents for `json_test::message` by a grammar, which also makes mistakes on purpose.
class documents {
 public:
  explicit documents(uint64_t seed) noexcept : dice_(seed) {}
  std::string document();
  /// Changes, removes, doubles or inserts some bytes.
  std::string mutated(std::string text);

 private:
  std::string blanks();
  std::string text();
  std::string number();
  std::string any(unsigned depth);
  std::string mostly(std::string_view good);
  std::string lines();
  std::vector<std::string> members();

  dice dice_;
};

}  // namespace json_fuzz
