// SPDX-License-Identifier: MIT
#pragma once

#include "program.hpp"

namespace hostile {

/// The kinds of words that calls take.
enum class kind : uint8_t {
  id,
  server,
  child,
  token,
  address,
  length,
  timeout,
  event,
  bits,
  slot,
  small,
  leases,
  description
};

/// Draws the words of calls: live ones of the right kind, such with one more or less, live ones of
/// another kind, small numbers and any numbers.
class drawer {
 public:
  static constexpr uint8_t slots = 8;

  explicit drawer(uint32_t seed) : random_(seed) { look(); }

  uint32_t next() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    return random_ ^= random_ << 5;
  }
  uint32_t below(uint32_t n) { return (next() >> 8) % n; }

  /// Asks the kernel which ids and tokens live.
  void look() {
    kernel::task_report r;
    for (uint8_t i = 0; i < slots; ++i) {
      if (!kernel::inspect(i, r).is_ok()) continue;
      ids_[i] = r.id;
      tokens_[i] = r.message.raw;
      if (r.id != kernel::no_task && r.base_priority == pong_priority) server_ = r.id;
      if (r.id != kernel::no_task && r.base_priority <= hostile_priority && !r.is_running) child_ = r.id;
    }
  }
  void remember_client(word token) { client_ = token; }
  void remember_child(word id) { child_ = id; }
  bool has_client() const { return client_ != 0; }

  /// Makes all words of the next call live ones, or not.
  void begin_call() { is_careful_ = below(2); }
  bool is_careful() const { return is_careful_; }

  word draw(kind k) {
    if (is_careful_ || (k == kind::timeout && below(8))) return live(k);
    const uint32_t how = below(16);
    if (how < 8) return live(k);
    if (how < 10) return live(k) + 1 - 2 * below(2);
    if (how < 13) return live(static_cast<kind>(below(static_cast<uint32_t>(kind::description) + 1)));
    return how < 15 ? below(32) : anywhere();
  }

  /// A place that the task may use for a message.
  word own_place() {
    const uint32_t offset = below(scratch_named);
    return reinterpret_cast<word>(below(2) ? shared.value.scratch : low_end()) + (is_careful_ ? offset & ~3u : offset);
  }

  /// Any address but those of ordinary variables: they are everybody's, and prove nothing.
  word anywhere() {
    const word w = next();
    const word ram = reinterpret_cast<word>(shared.value.scratch) >> 28;
    return w >> 28 == ram ? w ^ 0x80000000u : w;
  }

  /// The unused end of the own stack.
  static char* low_end() { return reinterpret_cast<char*>(hostile_stack.words + guard_words); }

  kernel::task_description description{};
  kernel::lease_list_of<1> leases{};

 private:
  word live(kind k) {
    static const word lengths[] = {0, 0, 1, 4, 8, 31, 32, 64, 128, longest_named, 65535, 65536, ~word{0}};
    static const baton::tick timeouts[] = {
        0, 1, 60, 80, 100, 150, 200, 300, 400, kernel::longest_timeout + 1, kernel::unlimited};
    switch (k) {
      case kind::id:
        return ids_[below(slots)];
      case kind::server:
        return below(4) ? server_ : ids_[below(slots)];
      case kind::child:
        return below(4) ? child_ : ids_[below(slots)];
      case kind::token:
        return below(4) ? client_ : tokens_[below(slots)];
      case kind::address:
        return is_careful_ || below(2) ? own_place() : foreign_place();
      case kind::length:
        return lengths[below(is_careful_ ? 10 : sizeof lengths / sizeof *lengths)];
      case kind::timeout:
        return timeouts[below(is_careful_ ? 9 : sizeof timeouts / sizeof *timeouts)];
      case kind::event:
        return below(2);
      case kind::bits:
        return below(4) ? 1u << below(4) : ~word{0};
      case kind::slot:
        return below(slots);
      case kind::small:
        return is_careful_ ? below(2) : below(5);
      case kind::leases:
        leases = {{live(kind::server), 1}, {kernel::lend(shared.value.scratch, scratch_named)}};
        return reinterpret_cast<word>(&leases);
      case kind::description:
        return reinterpret_cast<word>(&description);
    }
    return 0;
  }

  word foreign_place();

  word ids_[slots] = {};
  word tokens_[slots] = {};
  word server_ = 0, child_ = 0, client_ = 0;
  uint32_t random_;
  bool is_careful_ = false;
};

}  // namespace hostile
