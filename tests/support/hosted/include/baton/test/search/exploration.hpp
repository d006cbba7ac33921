// SPDX-License-Identifier: MIT
#pragma once

#include <baton/test/search/storage.hpp>
#include <baton/test/search/watch.hpp>
#include <stdio.h>
#include <string>
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

/// Visits every state that a small system can reach, breadth first, and compares it with its
/// reference in each. So the path to a failure is a shortest one.
///
/// Shape    a visited state is a key of 8 bytes, and its origin: one step and the state before. A
///          state that is still to be expanded is kept as bytes. `World`, made from `Bounds`, is
///          the system and its reference: `name()`; `save()` gives its state, and `load(bytes)`
///          puts it into that state again; `key(state)` is a hash of what tells it from others;
///          `moves()` is the number of steps, `allows(i)` says whether one makes sense, `make(i)`
///          makes it and tells what is wrong then, as `difference()` does without a step, and
///          `text(i, runner)` is its name, for the task that `running()` gave before it;
///          `copied()` is a hash of what the last step gave.
template <typename World, typename Bounds>
class exploration {
  using state = typename World::state;
  using states_to_expand = state_queue<state>;

 public:
  exploration(const Bounds& b, const limits& l) : limits_(l), world_(b), queue_(world_.save()) {}

  /// Searches until all is visited, a limit is reached, or something is wrong.
  void run() {
    const watch guard([this] { fail("a crash, or a step without an end"); });
    if (const char* what = world_.difference()) return fail(what);
    note_state();
    while (!queue_.is_empty() && !is_beyond_limits()) {
      uint64_t bytes[states_to_expand::state_words];
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

  const World& explored() const { return world_; }

  /// Prints how many states there are.
  void print() const {
    const char* const how = has_failed_ ? "failed" : is_complete_ ? "complete" : "not complete";
    printf("%s: %s, %zu states, %zu steps\n", world_.name(), how, states(), steps_);
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
    uint64_t bytes[states_to_expand::state_words];
  };

  static bool is_sample(uint64_t key) { return key % 256 == 0; }

  void expand_first(const uint64_t* bytes) {
    world_.load(bytes);
    const uint64_t key = world_.key(world_.save());
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
    for (size_t i = 0; i < world_.moves(); ++i) {
      if (!is_loaded) world_.load(bytes);
      is_loaded = !world_.allows(i);
      if (is_loaded) continue;
      if (is_first) ++steps_;
      if (is_first) at_ = {expanded_, static_cast<uint16_t>(i), static_cast<int16_t>(world_.running())};
      if (const char* what = world_.make(i)) {
        fail(what);
        break;
      }
      const uint64_t key = is_first ? note_state() : world_.key(world_.save());
      behind = (behind ^ key ^ world_.copied()) * 0x9e3779b97f4a7c15u + i;
    }
    return behind;
  }

  /// Puts the state in which the world is into the queue, unless it was visited. Returns its key.
  uint64_t note_state() {
    const state& s = world_.save();
    const uint64_t key = world_.key(s);
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
    printf("%s: %s, after:\n", world_.name(), what);
    for (size_t i = path.size(); i-- != 0;) print(path[i]);
    fflush(stdout);
  }

  void print(const origin& o) const { printf("  %s\n", world_.text(o.move, o.runner).c_str()); }

  limits limits_;
  World world_;
  key_set visited_;
  states_to_expand queue_;
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
