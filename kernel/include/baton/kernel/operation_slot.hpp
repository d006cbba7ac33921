// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/coroutine.hpp>
#include <baton/kernel/syscalls.hpp>

/// What the task of the coroutines does for another task: one of core's operations, as a job of its own.
namespace baton {
namespace kernel {

struct reachable_base;
class operation_slot;

/// What becomes of an operation's result.
enum class result_disposal : uint8_t {
  none,    ///< nothing that could be lost
  value,   ///< if its client has gone, it is lost: `dropped_values()` counts it
  right,   ///< a request that the client has to reply to: the slot holds it until then
  replies  ///< the operation uses what a slot holds, and frees the slot
};

/// One operation of a primitive, for those who know neither its type nor its values'.
struct reachable_operation {
  word in;   // bytes that the request brings
  word out;  // bytes that the answer brings where it ends with ok
  result_disposal result;
  status (*at_once)(reachable_base&, void* data, void* held);  // does it without waiting; null: it cannot
  bool (*begin)(operation_slot&);          // a job does it; true: the job waits. null: it never waits
  const void* (*answer)(operation_slot&);  // where the result lies
  void (*release)(void* data);             // ends what the slot holds; null: nothing
};

/// A primitive that other tasks can reach: see `reachable`.
struct reachable_base {
  constexpr reachable_base(const reachable_operation* table, uint8_t entries) : operations(table), count(entries) {}
  reachable_base(const reachable_base&) = delete;
  reachable_base& operator=(const reachable_base&) = delete;

  reachable_base* next = nullptr;
  reachable_base** list = nullptr;  // of whom
  const reachable_operation* operations;
  uint8_t count;

 protected:
  /// Later requests are refused. Those who wait learn it from the primitive, which closes.
  ~reachable_base() {
    if (!list) return;
    reachable_base** link = list;
    while (*link != this) link = &(*link)->next;
    *link = next;
  }
};

/// Where one task's operation is done: a job of core, and the memory of its values.
///
/// Context  the coroutine server's task alone. The deadline is core's, so that an operation has happened or has not, exactly.
class operation_slot : public coroutine<operation_slot, deadline> {
 public:
  enum class use : uint8_t { free, waits, held };

  point step(point at) {
    if (at == 0 && what->begin(*this)) return suspended;
    this->disarm_();
    ended(*this);
    return this->end_();
  }

  /// For `reachable_operation::begin`: does the operation, or waits for it.
  template <typename Operation>
  bool await(Operation operation) {
    constexpr point label = suspended | 1;
    return is_timed ? this->wait_until_(label, due, operation) : this->wait_(label, operation);
  }

  template <typename T>
  T& as() {
    return *static_cast<T*>(data);
  }

  /// Out of whatever it waits for. A value that was delivered and not read is counted as lost; a client that waits for this slot's
  /// reply gets `peer_gone`.
  void drop() {
    if (state == use::waits) {
      this->leave_();
      this->at = finished;
    }
    if (what->release) what->release(data);
    state = use::free;
  }

  void (*ended)(operation_slot&) = nullptr;  // tells the coroutine server
  void* server = nullptr;
  const reachable_operation* what = nullptr;
  reachable_base* door = nullptr;
  void* data = nullptr;
  tid client = no_task;
  tick due = 0;
  uint16_t uses = 0;
  use state = use::free;
  bool is_timed = false;
  bool is_now = false;
};

/// What a request to the coroutine server begins with.
struct alignas(8) operation_request {
  reachable_base* door;
  tick timeout;
  uint8_t operation;
  uint8_t slot;
  uint16_t uses;
};

/// What its answer begins with. `slot` and `uses` name a request that the client has received.
struct alignas(8) operation_answer {
  status how;
  uint8_t slot;
  uint16_t uses;
};

}  // namespace kernel
}  // namespace baton
