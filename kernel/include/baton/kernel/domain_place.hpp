// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/coroutine.hpp>
#include <baton/kernel/typed.hpp>

/// What the task of the coroutines does for another task: one of core's operations, as a job of its own.
namespace baton {
namespace kernel {

struct domain_door;
class domain_place;

/// What becomes of an operation's result.
enum class domain_result : uint8_t {
  none,    ///< nothing that could be lost
  value,   ///< if its client has gone, it is lost: `dropped_values()` counts it
  right,   ///< a request that the client has to reply to: the place holds it until then
  settles  ///< the operation uses what a place holds, and frees the place
};

/// One operation of a primitive, for those who know neither its type nor its values'.
struct domain_operation {
  word in;   // bytes that the request brings
  word out;  // bytes that the answer brings where it ends with ok
  domain_result result;
  status (*at_once)(domain_door&, void* data, void* held);  // does it without waiting; null: it cannot
  bool (*begin)(domain_place&);                             // a job does it; true: the job waits. null: it never waits
  const void* (*answer)(domain_place&);                     // where the result lies
  void (*release)(void* data);                              // ends what the place holds; null: nothing
};

/// A primitive that other tasks can reach: see `reachable`.
struct domain_door {
  constexpr domain_door(const domain_operation* table, uint8_t entries) : operations(table), count(entries) {}
  domain_door(const domain_door&) = delete;
  domain_door& operator=(const domain_door&) = delete;

  domain_door* next = nullptr;
  domain_door** list = nullptr;  // of whom
  const domain_operation* operations;
  uint8_t count;

 protected:
  /// Later requests are refused. Those who wait learn it from the primitive, which closes.
  ~domain_door() {
    if (!list) return;
    domain_door** link = list;
    while (*link != this) link = &(*link)->next;
    *link = next;
  }
};

/// Where one task's operation is done: a job of core, and the memory of its values.
///
/// Context  the domain's task alone. The deadline is core's, so that an operation has happened or has not, exactly.
class domain_place : public coroutine<domain_place, deadline> {
 public:
  enum class use : uint8_t { free, waits, held };

  point step(point at) {
    if (at == 0 && what->begin(*this)) return suspended;
    this->disarm_();
    ended(*this);
    return this->end_();
  }

  /// For `domain_operation::begin`: does the operation, or waits for it.
  template <typename Operation>
  bool await(Operation operation) {
    constexpr point label = suspended | 1;
    return is_timed ? this->wait_until_(label, due, operation) : this->wait_(label, operation);
  }

  template <typename T>
  T& as() {
    return *static_cast<T*>(data);
  }

  /// Out of whatever it waits for. A value that was delivered and not read is counted as lost; a client that waits for this place's
  /// reply gets `peer_gone`.
  void drop() {
    if (state == use::waits) {
      this->leave_();
      this->at = finished;
    }
    if (what->release) what->release(data);
    state = use::free;
  }

  void (*ended)(domain_place&) = nullptr;  // tells the domain
  void* domain = nullptr;
  const domain_operation* what = nullptr;
  domain_door* door = nullptr;
  void* data = nullptr;
  tid client = no_task;
  tick due = 0;
  uint16_t uses = 0;
  use state = use::free;
  bool is_timed = false;
  bool is_now = false;
};

/// What a request to the domain begins with.
struct alignas(8) domain_request {
  domain_door* door;
  tick timeout;
  uint8_t operation;
  uint8_t place;
  uint16_t uses;
};

/// What its answer begins with. `place` and `uses` name a request that the client has received.
struct alignas(8) domain_answer {
  status how;
  uint8_t place;
  uint16_t uses;
};

}  // namespace kernel
}  // namespace baton
