// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>
#include <string>
#include <vector>

/// The steps that the search of all states of core makes: the head of the ready queue runs and
/// begins one operation, or something comes from outside of it.
namespace baton {
namespace test {
namespace waits {

constexpr uint8_t most_tasks = 3;
constexpr uint8_t cases = 2;  // of a select
constexpr uint8_t channels = 2;
constexpr uint8_t the_endpoint = channels;  // its index among the primitives
constexpr uint8_t primitives = channels + 1;
constexpr uint8_t unlimited = 0xff;
constexpr uint8_t none = 0xff;

/// The operations that a task begins when it runs.
enum class order : uint8_t { send, receive, call, serve, choose, yield, suspend_self, sleep, end };

/// A step.
enum class act : uint8_t {
  run,          ///< the scheduler runs the head of the ready queue
  tick,         ///< time passes
  try_send,     ///< in a primitive
  try_receive,  ///< in a primitive
  close,        ///< a primitive
  make_anew,    ///< a primitive is destroyed and constructed again
  start,        ///< of a task
  cancel,       ///< of a task
  suspend,      ///< of a task
  resume,       ///< of a task
  restart,      ///< of a task
  destroy,      ///< a task, which is then constructed again
  reply,        ///< to the request that a task holds
  abandon,      ///< the request that a task holds
};

/// One operation of a task, which can be the case of a select.
struct wait_case {
  order what = order::yield;  // send, receive or serve
  uint8_t on = 0;             // a primitive
};

/// One step.
struct move {
  act what = act::run;
  uint8_t at = 0;  // a task or a primitive
  order begins = order::yield;
  wait_case of[cases] = {};   // the first one of an operation that is no select
  uint8_t limit = unlimited;  // ticks
};

/// The size of a system, and the alphabet of its steps.
struct bounds {
  const char* name;
  uint8_t tasks;
  std::vector<uint8_t> primitives;  // those that are used
  std::vector<order> orders = {};
  std::vector<act> acts = {};
  std::vector<uint8_t> limits = {unlimited};
  bool selects_in_any_order = true;
};

inline std::vector<wait_case> cases_of(const bounds& b) {
  std::vector<wait_case> all;
  for (const uint8_t p : b.primitives) {
    if (p == the_endpoint) {
      all.push_back({order::serve, p});
    } else {
      all.push_back({order::send, p});
      all.push_back({order::receive, p});
    }
  }
  return all;
}

/// Adds the selects: each pair of operations that may stand in one.
inline void add_selects(const bounds& b, uint8_t limit, std::vector<move>& all) {
  for (const wait_case first : cases_of(b)) {
    for (const wait_case second : cases_of(b)) {
      if (!b.selects_in_any_order && first.on > second.on) continue;
      if (first.on == second.on) continue;  // a select that would wait for itself, or for one thing twice
      move m;
      m.begins = order::choose;
      m.of[0] = first;
      m.of[1] = second;
      m.limit = limit;
      all.push_back(m);
    }
  }
}

/// Adds the runs in which the task begins this operation, within a limit of time.
inline void add_runs(const bounds& b, order begins, uint8_t limit, std::vector<move>& all) {
  move m;
  m.begins = begins;
  m.limit = limit;
  if (begins == order::choose) return add_selects(b, limit, all);
  for (const uint8_t p : b.primitives) {
    const bool is_of_endpoint = begins == order::call || begins == order::serve;
    if (is_of_endpoint != (p == the_endpoint)) continue;
    m.of[0] = {begins, p};
    all.push_back(m);
  }
}

inline void add_outside(const bounds& b, act what, std::vector<move>& all) {
  move m;
  m.what = what;
  if (what == act::tick) return all.push_back(m);
  if (what <= act::make_anew) {
    for (const uint8_t p : b.primitives) {
      m.at = p;
      if (p != the_endpoint || what >= act::close) all.push_back(m);
    }
    return;
  }
  for (m.at = 0; m.at < b.tasks; ++m.at) all.push_back(m);
}

/// Makes the list of all steps within these bounds.
inline std::vector<move> moves_of(const bounds& b) {
  std::vector<move> all;
  for (const order begins : b.orders) {
    if (begins < order::yield) {
      for (const uint8_t limit : b.limits) add_runs(b, begins, limit, all);
    } else {
      move m;
      m.begins = begins;
      all.push_back(m);
    }
  }
  for (const act what : b.acts) add_outside(b, what, all);
  return all;
}

inline std::string text_of(const wait_case& c) {
  static const char* const names[] = {"send", "receive", "call", "serve"};
  static const char* const places[] = {" a", " b", " e"};
  return std::string(names[static_cast<uint8_t>(c.what)]) + places[c.on];
}

/// The words for a step in the path to a failure.
inline std::string text_of(const move& m) {
  static const char* const orders[] = {"", "", "", "", "", "yields", "suspends itself", "sleeps", "ends"};
  static const char* const acts[] = {"run",   "tick",   "try_send", "try_receive", "close",   "destroy and make",
                                     "start", "cancel", "suspend",  "resume",      "restart", "destroy and make",
                                     "reply", "abandon"};
  if (m.what != act::run) {
    const std::string name = acts[static_cast<uint8_t>(m.what)];
    if (m.what == act::tick) return "a tick passes";
    if (m.what <= act::make_anew) return name + " " + "abe"[m.at];
    return name + " t" + std::to_string(m.at);
  }
  std::string said = "runs, ";
  if (m.begins >= order::yield) return said + orders[static_cast<uint8_t>(m.begins)];
  said += text_of(m.of[0]);
  if (m.begins == order::choose) said += " or " + text_of(m.of[1]);
  return m.limit == unlimited ? said : said + " for " + std::to_string(m.limit) + " ticks";
}

}  // namespace waits
}  // namespace test
}  // namespace baton
