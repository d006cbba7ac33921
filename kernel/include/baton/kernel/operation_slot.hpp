// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/coroutine.hpp>
#include <baton/kernel/syscalls.hpp>

/// The coroutine server's work for another task: one of core's operations, as a job of its own.
namespace baton {
namespace kernel {

struct reachable_base;
class operation_slot;

/// The treatment of an operation's result.
enum class result_disposal : uint8_t {
  none,    ///< the result holds nothing that could be lost
  value,   ///< a value is lost if its client has gone: `dropped_values()` counts it
  right,   ///< the client must reply to the request: the slot holds it until then
  replies  ///< the operation replies to the request that a slot holds, and frees the slot
};

/// One operation of a primitive, without the primitive's type and that of its values.
struct reachable_operation {
  word in;   // bytes that the request brings
  word out;  // bytes that the answer brings where it ends with ok
  result_disposal result;
  status (*at_once)(reachable_base&, void* data, void* held);  // does it without waiting; null: not possible
  bool (*begin)(operation_slot&);          // a job does it; true: the job waits. null: it never waits
  const void* (*answer)(operation_slot&);  // where the result lies
  void (*release)(void* data);             // ends a held request; null: none is held
};

/// A primitive that other tasks can reach: see `reachable`.
struct reachable_base {
  constexpr reachable_base(const reachable_operation* table, uint8_t entries) : operations(table), count(entries) {}
  reachable_base(const reachable_base&) = delete;
  reachable_base& operator=(const reachable_base&) = delete;

  reachable_base* next = nullptr;
  reachable_base** list = nullptr;  // the coroutine server's list
  const reachable_operation* operations;
  uint8_t count;

 protected:
  /// Takes the primitive out of the coroutine server's list: later requests are refused. The
  /// primitive closes, and so ends the waits.
  ~reachable_base() {
    if (!list) return;
    reachable_base** link = list;
    while (*link != this) link = &(*link)->next;
    *link = next;
  }
};

/// The slot of one task's operation: a job of core, and the memory of its values.
///
/// Context  the coroutine server's task alone. The deadline is core's, so the operation either has
///          happened or has not.
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

  /// Takes the job out of its wait. A value that was delivered and not read is counted as dropped;
  /// a client that waits for this slot's reply gets `peer_gone`.
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
  reply_token asked = no_client;  // the client's message
  tick due = 0;
  uint16_t uses = 0;
  use state = use::free;
  bool is_timed = false;
  bool is_now = false;
};

/// The header of a request to the coroutine server.
struct alignas(8) operation_request {
  reachable_base* door;
  tick timeout;
  uint8_t operation;
  uint8_t slot;
  uint16_t uses;
};

/// The header of its answer. `slot` and `uses` name a request that the client has received.
struct alignas(8) operation_answer {
  status how;
  uint8_t slot;
  uint16_t uses;
};

}  // namespace kernel
}  // namespace baton
