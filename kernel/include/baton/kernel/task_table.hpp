// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/system.hpp>

/// Tasks that are known at compile time: the compiler checks their priorities, their stacks and who
/// sends to whom, and the program holds no `create`.
namespace baton {
namespace kernel {

/// The tasks that a task may send to.
template <typename... Tasks>
struct talks_to {};

/// The base of a task of a table.
///
///     struct logger : kernel::fixed_task<3, 512> {
///       static const char* name() { return "logger"; }
///       static void run();
///     };
///     struct pump : kernel::fixed_task<2, 512, kernel::talks_to<logger>> { ... };
///
/// Units    bytes of stack, as in `stack<Bytes>`
template <kernel::priority Level, word StackBytes, typename Peers = talks_to<>>
struct fixed_task {
  static constexpr kernel::priority level = Level;
  static constexpr word stack_bytes = StackBytes;
  static constexpr bool is_privileged = false;
  using peers = Peers;
};

/// The same with the right to touch devices, and the memory of the kernel.
template <kernel::priority Level, word StackBytes, typename Peers = talks_to<>>
struct fixed_privileged_task : fixed_task<Level, StackBytes, Peers> {
  static constexpr bool is_privileged = true;
};

namespace detail {

template <typename, typename>
struct are_same {
  static constexpr bool value = false;
};
template <typename T>
struct are_same<T, T> {
  static constexpr bool value = true;
};

/// The place of a type in a list; the list's size if it is not there.
template <typename T, typename... List>
constexpr uint8_t place_of() {
  const bool same[] = {are_same<T, List>::value..., true};
  uint8_t n = 0;
  while (!same[n]) ++n;
  return n;
}

template <typename T, typename... List>
constexpr uint8_t times_in() {
  const bool same[] = {are_same<T, List>::value..., false};
  uint8_t n = 0;
  for (bool s : same) n = static_cast<uint8_t>(n + s);
  return n;
}

/// For each task of a table, whether a task may send to it.
template <uint8_t Size>
struct talk_row {
  bool to[Size] = {};
  bool is_known = true;  // all that it may send to are in the table
};

template <typename Peers>
struct talk_of;
template <typename... Peers>
struct talk_of<talks_to<Peers...>> {
  template <typename... Tasks>
  static constexpr talk_row<sizeof...(Tasks)> row() {
    talk_row<sizeof...(Tasks)> r;
    const uint8_t places[] = {place_of<Peers, Tasks...>()..., 0};
    for (uint8_t n = 0; n != sizeof...(Peers); ++n) {
      if (places[n] == sizeof...(Tasks)) {
        r.is_known = false;
      } else {
        r.to[places[n]] = true;
      }
    }
    return r;
  }
};

/// Says who sends to whom.
template <uint8_t Size>
struct talk_graph {
  talk_row<Size> rows[Size];

  constexpr bool is_known() const {
    for (const talk_row<Size>& r : rows) {
      if (!r.is_known) return false;
    }
    return true;
  }

  /// True if the tasks that a task sends to, those that they send to, and so on, never come to the
  /// task itself.
  constexpr bool has_no_cycle() const {
    bool is_done[Size] = {};  // sends to none, or to those that are done
    for (uint8_t turn = 0; turn != Size; ++turn) {
      uint8_t next = Size;
      for (uint8_t t = 0; t != Size && next == Size; ++t) {
        if (!is_done[t] && sends_only_to(t, is_done)) next = t;
      }
      if (next == Size) return false;
      is_done[next] = true;
    }
    return true;
  }

 private:
  constexpr bool sends_only_to(uint8_t from, const bool (&done)[Size]) const {
    for (uint8_t t = 0; t != Size; ++t) {
      if (rows[from].to[t] && !done[t]) return false;
    }
    return true;
  }
};

template <typename... Tasks>
constexpr kernel::priority most_urgent() {
  const kernel::priority levels[] = {Tasks::level...};
  kernel::priority most = 0;
  for (kernel::priority p : levels) most = p > most ? p : most;
  return most;
}

/// The stacks of the tasks of a table.
template <typename... Tasks>
struct fixed_stacks {
  static void begin(kernel_state&, tcb*) {}
};
template <typename First, typename... Rest>
struct fixed_stacks<First, Rest...> : fixed_stacks<Rest...> {
  void begin(kernel_state& m, tcb* t) {
    task_description d = describe(First::level, &run, own, First::name());
    d.is_privileged = First::is_privileged;
    detail::begin(m, t, d);
    t->is_privileged = d.is_privileged;
    fixed_stacks<Rest...>::begin(m, t + 1);
  }
  static void run(void*) { First::run(); }

  stack<First::stack_bytes> own;
};

}  // namespace detail

/// The tasks of a program. Each is a type with a base `fixed_task`, a `name()` and a `run()`.
///
///     using tasks = kernel::task_table<logger, pump>;
///     BATON_KERNEL_MEMORY static tasks::stacks stacks;
///     BATON_KERNEL_MEMORY static kernel::fixed_system<tasks> program(stacks);
///
///     kernel::send(tasks::to<pump, logger>(), ...);  // in pump::run
///
/// Shape    no object; `stacks` has the stacks of all, in the reverse order of the table. Checked
///          by the compiler: each task is there once, has a level below 31 and a stack that the
///          port takes, sends to tasks of the table alone, and the tasks that send to each other
///          form no cycle, so that no send is ever refused as a deadlock.
/// Context  what a task sends by an id that it has from elsewhere is not checked.
template <typename... Tasks>
struct task_table {
  static_assert(sizeof...(Tasks) != 0 && sizeof...(Tasks) < 255, "a table has 1 to 254 tasks");
  static constexpr uint8_t size = sizeof...(Tasks);
  using stacks = detail::fixed_stacks<Tasks...>;
  static constexpr uint8_t priority_levels =
      (detail::most_urgent<Tasks...>() < 31 ? detail::most_urgent<Tasks...>() : 30) + 1;

  /// The id of a task, which is known before it runs.
  /// Context  the task's from the start of the program until it ends.
  template <typename Task>
  static constexpr tid id() {
    static_assert(detail::place_of<Task, Tasks...>() != size, "the table has no such task");
    return static_cast<tid>(1) << 8 | detail::place_of<Task, Tasks...>();
  }

  /// The id of a task that `From` may send to.
  template <typename From, typename To>
  static constexpr tid to() {
    static_assert(detail::place_of<From, Tasks...>() != size, "the table has no such task");
    static_assert(row_of<From>().to[detail::place_of<To, Tasks...>()],
                  "the task may not send to that one: its talks_to<...> does not name it");
    return id<To>();
  }

 private:
  template <typename Task>
  static constexpr detail::talk_row<size> row_of() {
    return detail::talk_of<typename Task::peers>::template row<Tasks...>();
  }
  static constexpr bool is_each_there_once() {
    const bool once[] = {detail::times_in<Tasks, Tasks...>() == 1 ...};
    for (bool o : once) {
      if (!o) return false;
    }
    return true;
  }
  static constexpr detail::talk_graph<size> graph() { return {{row_of<Tasks>()...}}; }

  template <typename Table, uint8_t InterruptEvents, uint8_t Further>
  friend class fixed_system;

  static constexpr bool are_levels_good() {
    const bool good[] = {Tasks::level < 31 ...};
    for (bool g : good) {
      if (!g) return false;
    }
    return true;
  }

  struct checked {
    static_assert(are_levels_good(), "a task's level is above 30");
    static_assert(is_each_there_once(), "a task is in the table twice");
    static_assert(graph().is_known(), "a task's talks_to<...> names a task that is not in the table");
    static_assert(graph().has_no_cycle(), "tasks would send to each other in a cycle, and wait for ever");
  };
};

/// A kernel whose tasks are those of a table. A program has one.
///
/// Shape    sizeof says all. A program that makes no other task holds no `create`. `Further` places
///          are for tasks that it makes, as a supervisor in the table does.
/// Context  as `system`. The tasks are ready from its construction on, in the order of the table.
///          The stacks stand before it in the source, so that they are there.
template <typename Table, uint8_t InterruptEvents = 1, uint8_t Further = 0>
class fixed_system : public kernel_memory<Table::size + Further, Table::priority_levels, InterruptEvents>,
                     Table::checked {
 public:
  explicit fixed_system(typename Table::stacks& stacks) : fixed_system(stacks, kernel_switch::say_fault) {}

  /// As `system(listener)`.
  fixed_system(typename Table::stacks& stacks, fault_listener listener)
      : kernel_memory<Table::size + Further, Table::priority_levels, InterruptEvents>(listener) {
    stacks.begin(*this, this->table);
  }
};

}  // namespace kernel
}  // namespace baton
