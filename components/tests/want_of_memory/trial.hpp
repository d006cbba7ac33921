// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/poller.hpp>
#include <baton/service.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>

/// A program, run in a process of its own while one of its allocations is refused.
///
/// Each scenario is a whole program: it is filled with services, it runs, does some work, and ends.
/// A trial refuses its n-th allocation, once. The table of promises:
///
///   refused while      the program
///   it is set up       does its work and ends with 0; or `run` or the set-up throws
///                      std::bad_alloc; or it ends in order with a code and a diagnostic
///   it works           does its work: what was begun may end with an error, the next one ends
///                      well. It ends with 0
///   it ends            ends with 0, or with a code and a diagnostic
///
/// In each case no process is ended by a signal or hangs, and no object is left.
namespace want_of_memory {

using namespace baton::service;
namespace async = baton::async;

/// The part of a run in which an allocation is refused.
enum class stage : uint8_t { none, set_up, work, end };

/// The running program, for the functions of its scenario.
struct trial {
  /// The program has been set up, and begins to work. Only the first call counts.
  void begin_work() noexcept;
  /// The work is done, and the program is about to end.
  void end_work() noexcept;
  /// An attempt at the program's work has ended well, or not. One that began after the refusal has
  /// to end well.
  void note(bool is_well) noexcept;
  /// States what has to hold in every trial.
  void expect(bool holds, const char* what) noexcept;

  application* app = nullptr;
  std::jthread other;  // plays another program; what it allocates is never refused
  int attempts = 0;
  int failed = 0;
  bool has_failed_late = false;
  bool was_refused = false;  // before the present attempt
  int alive = 0;             // objects of the services of a scenario
};

/// Counts the objects of a scenario.
struct counted {
  explicit counted(trial& t) : of(t) { ++of.alive; }
  counted(const counted&) = delete;
  ~counted() { --of.alive; }
  trial& of;
};

/// Runs a function that allocates what is never refused.
struct exempt {
  exempt() noexcept;
  exempt(const exempt&) = delete;
  ~exempt();
};

/// Starts another program, which is played by a thread that ends the program afterwards.
void play(trial& t, std::function<void()> part);

struct scenario {
  const char* name;
  void (*fill)(application&, trial&);
};

std::span<const scenario> network_scenarios();
std::span<const scenario> service_scenarios();

/// The result of a trial.
struct result {
  long allocations = 0;  // until the end of the program
  stage refused_in = stage::none;
  bool is_well = false;
  char text[200] = {};  // what is wrong otherwise
};

/// Runs a scenario in a process of its own, with the allocation `n` refused; 0: with none.
result run(const scenario& s, long n, bool shows_place = false);

}  // namespace want_of_memory
