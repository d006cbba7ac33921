// SPDX-License-Identifier: MIT
#pragma once

#include <search/canonical.hpp>
#include <search/move_text.hpp>
#include <search/storage.hpp>
#include <search/watch.hpp>
#include <search/world.hpp>
#include <stdio.h>
#include <time.h>
#include <unordered_map>

namespace baton {
namespace test {
namespace search {

constexpr unsigned no_limit = static_cast<unsigned>(-1);

/// The limits at which a search stops without having visited all states. The seconds are the
/// processor's.
struct limits {
  size_t bytes;
  unsigned seconds;
};

/// Visits every state that a small system can reach, breadth first, and compares the kernel with
/// the reference in each. So the path to a failure is a shortest one.
///
/// Shape    a visited state is a key of 8 bytes, and its origin: one step and the state before. A
///          state that is still to be expanded is kept as bytes.
class search {
 public:
  search(const bounds& b, const limits& l)
      : bounds_(b), limits_(l), moves_(moves_of(bounds_)), world_(bounds_), queue_(world_.save()) {}

  /// Searches until all is visited, a limit is reached, or something is wrong.
  void run() {
    const watch guard([this] { fail("a crash, or a step without an end"); });
    if (const char* what = world_.difference()) return fail(what);
    note_state();
    while (!queue_.is_empty() && !is_beyond_limits()) {
      uint64_t bytes[state_queue::state_words];
      queue_.pop(bytes);
      expand_first(bytes);
      for (const doubtful& d : doubtful_) expand_again(d);
      doubtful_.clear();
      if (has_failed_) return;
      ++expanded_;
    }
    is_complete_ = queue_.is_empty();
  }

  bool is_complete() const { return is_complete_; }
  bool has_failed() const { return has_failed_; }
  size_t states() const { return visited_.size(); }

  /// A bit for each error with which a call has ended.
  uint32_t errors() const { return world_.seen().errors; }

  /// Prints how many states there are.
  void print() const {
    const char* const how = has_failed_ ? "failed" : is_complete_ ? "complete" : "not complete";
    printf("%s: %s, %zu states, %zu steps\n", bounds_.name, how, states(), steps_);
    fflush(stdout);
  }

 private:
  /// The step by which a state was reached first.
  struct origin {
    uint32_t state;
    uint16_t move;
    int16_t runner;
  };

  /// A state whose canonical form another one has, too.
  struct doubtful {
    uint64_t key;
    origin at;
    uint64_t bytes[state_queue::state_words];
  };

  static bool is_sample(uint64_t key) { return key % 256 == 0; }

  void expand_first(const uint64_t* bytes) {
    world_.load(bytes);
    const uint64_t key = canonical(world_.save()).key();
    const uint64_t behind = expand(bytes, true);
    if (is_sample(key)) compare_with_twin(key, behind);
  }

  void expand_again(const doubtful& d) {
    if (has_failed_) return;
    at_ = d.at;
    compare_with_twin(d.key, expand(d.bytes, false));
  }

  /// Two states with the same canonical form have to lead to the same states, by the same copies.
  void compare_with_twin(uint64_t key, uint64_t behind) {
    const uint64_t& known = behind_.emplace(key, behind).first->second;
    if (known != behind && !has_failed_) fail("the canonical form confuses two states");
  }

  /// Makes each step from a state. Returns a hash of the states behind them.
  uint64_t expand(const uint64_t* bytes, bool is_first) {
    uint64_t behind = 0;
    bool is_loaded = false;
    for (size_t i = 0; i < moves_.size(); ++i) {
      if (!is_loaded) world_.load(bytes);
      is_loaded = !world_.allows(moves_[i]);
      if (is_loaded) continue;
      if (is_first) ++steps_;
      if (is_first) at_ = {expanded_, static_cast<uint16_t>(i), static_cast<int16_t>(world_.running())};
      if (const char* what = world_.make(moves_[i])) {
        fail(what);
        break;
      }
      const uint64_t key = is_first ? note_state() : canonical(world_.save()).key();
      behind = (behind ^ key ^ world_.seen().copied) * 0x9e3779b97f4a7c15u + i;
    }
    return behind;
  }

  /// Puts the state in which the world is into the queue, unless it was visited. Returns its key.
  uint64_t note_state() {
    const snapshot& s = world_.save();
    const uint64_t key = canonical(s).key();
    if (visited_.insert(key)) {
      origins_.push_back(at_);
      queue_.push(s);
    } else if (is_sample(key)) {
      doubtful_.push_back({key, at_, {}});
      memcpy(doubtful_.back().bytes, &s, sizeof s);
    }
    return key;
  }

  bool is_beyond_limits() const {
    if (expanded_ % 1024 != 0) return false;
    watch::feed();
    const size_t bytes = 2 * (visited_.bytes() + origins_.capacity() * sizeof(origin)) + queue_.bytes();  // both double
    const clock_t seconds = (clock() - began_) / CLOCKS_PER_SEC;
    return bytes > limits_.bytes || (limits_.seconds != no_limit && seconds >= static_cast<clock_t>(limits_.seconds));
  }

  /// Prints what is wrong, and the steps from the first state to it.
  void fail(const char* what) {
    has_failed_ = true;
    std::vector<origin> path = {at_};
    while (path.back().state != 0) path.push_back(origins_[path.back().state]);
    printf("%s: %s, after:\n", bounds_.name, what);
    for (size_t i = path.size(); i-- != 0;) print(path[i]);
    fflush(stdout);
  }

  void print(const origin& o) const {
    const move& m = moves_[o.move];
    if (m.call || m.from == outside::overwrite || m.from == outside::fault) printf("  t%d", o.runner);
    printf("  %s\n", text_of(m).c_str());
  }

  bounds bounds_;
  limits limits_;
  std::vector<move> moves_;
  world world_;
  key_set visited_;
  state_queue queue_;
  std::vector<origin> origins_;
  std::vector<doubtful> doubtful_;
  std::unordered_map<uint64_t, uint64_t> behind_;  // of some keys
  origin at_ = {0, 0, 0};                          // the step that is being made
  uint32_t expanded_ = 0;
  size_t steps_ = 0;
  clock_t began_ = clock();
  bool is_complete_ = false;
  bool has_failed_ = false;
};

}  // namespace search
}  // namespace test
}  // namespace baton
