// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/status.hpp>
#include <waits/alphabet.hpp>

/// The parts of the model (model.hpp): plain bytes, so that a state of the model is a key.
namespace baton {
namespace test {
namespace waits {

/// A list of at most `Most` entries.
template <typename T, uint8_t Most>
struct row {
  void push(T value) { at[size++] = value; }
  void insert(uint8_t i, T value) {
    for (uint8_t k = size++; k > i; --k) at[k] = at[k - 1];
    at[i] = value;
  }
  T take(uint8_t i) {
    const T value = at[i];
    for (--size; i < size; ++i) at[i] = at[i + 1];
    at[size] = T();
    return value;
  }

  T at[Most] = {};
  uint8_t size = 0;
};

enum class stage : uint8_t { fresh, ready, waiting, in_service, sleeping, out, done };

enum class waiting_side : uint8_t { nobody, receivers, senders, closed };

/// A task in a queue: by itself, or by a case of its select.
struct entry {
  uint8_t task = 0;
  uint8_t of_case = 0;
  uint8_t is_case = 0;
};

/// A task, and all that belongs to its wait.
struct task_model {
  stage what = stage::fresh;
  order pending = order::yield;  // the operation that it will learn the end of when it runs
  status end = status::ok;
  uint8_t is_timed = 0;
  uint8_t is_unread = 0;  // it was handed a value that it has not read
  uint8_t selected = 0;
  uint8_t out[cases] = {};  // the values that it sends
  uint8_t in[cases] = {};   // its variables to receive into
  uint8_t asks = 0;         // the request of its call
  uint8_t answer = 0;       // the reply to it
  uint8_t client = none;    // whose request it holds
  uint8_t request = 0;      // that request
};

/// A timer of a task.
struct timer_model {
  uint8_t task = 0;
  uint8_t left = 0;  // ticks
};

struct primitive_model {
  waiting_side side = waiting_side::nobody;
  row<entry, most_tasks> queue;
  row<uint8_t, 2> stored;
  uint8_t capacity = 0;
};

/// The outcome of a wait, as its task learns it.
struct note {
  uint8_t task = 0;
  status end = status::ok;
  uint8_t selected = 0;
  uint8_t in[cases] = {};
  uint8_t request = 0;
  uint8_t answer = 0;

  bool operator==(const note& o) const {
    return task == o.task && end == o.end && selected == o.selected && in[0] == o.in[0] && in[1] == o.in[1] &&
           request == o.request && answer == o.answer;
  }
};

/// The outcomes of one step: the notes of the task that ran, and what a call from outside gave.
struct outcome {
  row<note, 2> notes;
  uint8_t sent[cases] = {};  // the values that the step sends; the model chooses them
  uint8_t given = 0;         // a status, or true and false
  uint8_t value = 0;         // received from outside
  uint8_t dropped = 0;
};

}  // namespace waits
}  // namespace test
}  // namespace baton
