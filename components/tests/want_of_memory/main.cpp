// SPDX-License-Identifier: MIT
//
// Runs programs whose n-th allocation is refused, for every n, or for numbers drawn by a seed.
//
//   want_of_memory [every | drawn COUNT SEED | NAME | NAME N]
//
// Without words it draws forty of each program, or takes the first word from BATON_TRIALS. The last
// form runs one trial, and shows where the allocation was refused, and what was told.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <string_view>
#include <vector>

#include "trial.hpp"

using namespace want_of_memory;

namespace {

std::vector<scenario> all_scenarios() {
  std::vector<scenario> all;
  for (const auto& some : {network_scenarios(), service_scenarios()}) all.insert(all.end(), some.begin(), some.end());
  return all;
}

const char* words_for(stage s) {
  switch (s) {
    case stage::set_up:
      return "while it is set up";
    case stage::work:
      return "while it works";
    case stage::end:
      return "while it ends";
    default:
      return "not reached";
  }
}

/// Runs one trial. false: a promise is not kept, which is told.
bool keeps_promises(const scenario& s, long n) {
  const result r = run(s, n);
  if (r.is_well) return true;
  std::printf("%s: allocation %ld refused (%s): %s\n", s.name, n, words_for(r.refused_in), r.text);
  std::fflush(stdout);
  return false;
}

/// The number of allocations of a whole run; 0: it does not end well when none is refused.
long allocations_of(const scenario& s) {
  const result r = run(s, 0);
  if (r.is_well && r.allocations > 0) return r.allocations;
  std::printf("%s: with memory: %s\n", s.name, r.text);
  return 0;
}

/// Refuses one allocation after the other until a run ends without the refusal of one.
bool run_every(const scenario& s) {
  if (allocations_of(s) == 0) return false;
  int failures = 0;
  int beyond = 0;
  long n = 1;
  for (; beyond < 5; ++n) {  // runs differ in a few allocations
    const result r = run(s, n);
    beyond = r.refused_in == stage::none ? beyond + 1 : 0;
    if (r.is_well) continue;
    ++failures;
    std::printf("%s: allocation %ld refused (%s): %s\n", s.name, n, words_for(r.refused_in), r.text);
    std::fflush(stdout);
  }
  std::printf("%s: %ld allocations, %d failures\n", s.name, n - 5, failures);
  std::fflush(stdout);
  return failures == 0;
}

/// Refuses allocations that a seed chooses.
bool run_drawn(const scenario& s, unsigned count, std::mt19937& random) {
  const long most = allocations_of(s);
  if (most == 0) return false;
  std::set<long> chosen;
  std::uniform_int_distribution<long> any(1, most);
  for (unsigned i = 0; i != count; ++i) chosen.insert(any(random));
  bool all = true;
  for (const long n : chosen) all = keeps_promises(s, n) && all;
  return all;
}

int show(const scenario& s, long n) {
  const result r = run(s, n, true);
  std::printf("%s: allocation %ld of %ld refused (%s): %s\n", s.name, n, r.allocations, words_for(r.refused_in),
              r.is_well ? "good" : r.text);
  return r.is_well ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  const char* const chosen = std::getenv("BATON_TRIALS");
  const std::string_view first = count > 1 ? words[1] : chosen ? chosen : "drawn";
  bool is_good = true;
  if (first == "drawn") {
    std::mt19937 random(count == 4 ? static_cast<unsigned>(std::strtoul(words[3], nullptr, 10)) : 1);
    const auto of_each = count == 4 ? static_cast<unsigned>(std::strtoul(words[2], nullptr, 10)) : 40;
    for (const scenario& s : all_scenarios()) is_good = run_drawn(s, of_each, random) && is_good;
  } else {
    for (const scenario& s : all_scenarios()) {
      if (first == "every") is_good = run_every(s) && is_good;
      if (first != s.name) continue;
      if (count == 3) return show(s, std::strtol(words[2], nullptr, 10));
      is_good = run_every(s);
    }
  }
  std::printf("verdict: %s\n", is_good ? "good" : "bad");
  return is_good ? 0 : 1;
}
