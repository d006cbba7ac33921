// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <vector>

namespace baton {
namespace test {
namespace search {

/// The keys of the states that were visited: an open table, which doubles when it is two thirds
/// full.
class key_set {
 public:
  /// false: the key is there already. A key is not 0.
  bool insert(uint64_t key) {
    if (3 * count_ >= 2 * table_.size()) grow();
    uint64_t& found = place_of(key);
    if (found == key) return false;
    found = key;
    ++count_;
    return true;
  }

  size_t size() const { return count_; }
  size_t bytes() const { return table_.size() * sizeof(uint64_t); }

 private:
  uint64_t& place_of(uint64_t key) {
    size_t i = key & (table_.size() - 1);
    while (table_[i] != 0 && table_[i] != key) i = (i + 1) & (table_.size() - 1);
    return table_[i];
  }

  void grow() {
    std::vector<uint64_t> former(2 * table_.size());
    former.swap(table_);
    for (const uint64_t key : former) {
      if (key != 0) place_of(key) = key;
    }
  }

  std::vector<uint64_t> table_ = std::vector<uint64_t>(1 << 12);
  size_t count_ = 0;
};

/// The states that are still to be expanded, first in, first out.
///
/// Shape    `State` is copied as bytes; a state is the words that differ from the first state,
///          behind a bit for each word.
template <typename State>
class state_queue {
 public:
  static constexpr size_t state_words = sizeof(State) / sizeof(uint64_t);
  static_assert(sizeof(State) % sizeof(uint64_t) == 0, "a state is compared by words");

  explicit state_queue(const State& first) { memcpy(first_, &first, sizeof first_); }

  bool is_empty() const { return chunks_.empty(); }
  size_t bytes() const { return chunks_.size() * chunk_words * sizeof(uint64_t); }

  void push(const State& s) {
    uint64_t words[state_words];
    memcpy(words, &s, sizeof words);
    uint64_t packed[mask_words + state_words] = {};
    size_t used = mask_words;
    for (size_t i = 0; i < state_words; ++i) {
      if (words[i] == first_[i]) continue;
      packed[i / 64] |= uint64_t{1} << i % 64;
      packed[used++] = words[i];
    }
    if (chunks_.empty() || chunks_.back().size() + used > chunk_words) {
      chunks_.emplace_back();
      chunks_.back().reserve(chunk_words);
    }
    chunks_.back().insert(chunks_.back().end(), packed, packed + used);
  }

  /// Gives the bytes of the oldest state.
  void pop(uint64_t* words) {
    const uint64_t* const mask = chunks_.front().data() + read_;
    const uint64_t* packed = mask + mask_words;
    memcpy(words, first_, sizeof first_);
    for (size_t i = 0; i < state_words; ++i) {
      if (mask[i / 64] >> i % 64 & 1) words[i] = *packed++;
    }
    read_ = static_cast<size_t>(packed - chunks_.front().data());
    if (read_ != chunks_.front().size()) return;
    chunks_.pop_front();
    read_ = 0;
  }

 private:
  static constexpr size_t mask_words = (state_words + 63) / 64;
  static constexpr size_t chunk_words = 1 << 16;

  uint64_t first_[state_words];
  std::deque<std::vector<uint64_t>> chunks_;
  size_t read_ = 0;  // words of the first chunk
};

}  // namespace search
}  // namespace test
}  // namespace baton
