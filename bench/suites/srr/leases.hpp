// SPDX-License-Identifier: MIT
#pragma once

#include "tasks.hpp"

// Copies between a server and the memory that its client lends: rows of the suite srr.

namespace suite_srr {

constexpr uint32_t lent_word = 0x1ea5ed;

/// The server's loop without the call.
template <word Bytes>
struct copy_base : workload {
  static void prepare() { wrong = 0; }
  static BATON_INLINE void run() {
    uint_fast16_t n = rounds::count();
    do {
      word copied = Bytes;
      __asm__ volatile("" : "+r"(copied)::"memory");
      if (copied != Bytes) wrong = 1;
    } while (--n);
  }
  static bool finish() { return !wrong; }
};

/// A client lends, and the server copies in each round.
template <typename Copy, word Bytes>
struct lease_copies : workload {
  static constexpr bool delimits = true;

  static void lend(void*) {
    uint32_t memory[Bytes / 4] = {lent_word};
    if (!kernel::send_lending(server, nullptr, 0, nullptr, 0, {kernel::lend(memory, Bytes)})) wrong = 1;
    if (memory[0] != lent_word) wrong = 1;
    ended = 1;
  }
  static void serve(void*) {
    uint32_t buffer[Bytes / 4] = {lent_word + Copy::reads};
    const kernel::received m = kernel::receive(nullptr, 0);
    uint_fast16_t n = rounds::count();
    baton::board::meter::start();
    do {
      if (Copy::make(m.client, buffer, Bytes).raw() != Bytes) wrong = 1;
    } while (--n);
    baton::board::meter::stop();
    if (buffer[0] != lent_word) wrong = 1;
    kernel::reply(m.client, nullptr, 0);
  }

  static void prepare() {
    wrong = ended = 0;
    server = begin_task(more_urgent, &serve, one_stack, "server");
  }
  static void run() { begin_task(less_urgent, &lend, other_stack, "client"); }
  static bool finish() { return ended && !wrong; }
};

struct copies_from {
  static constexpr bool reads = true;
  static BATON_INLINE kernel::ipc_result make(kernel::reply_token client, void* buffer, word bytes) {
    return kernel::copy_from(client, 0, 0, buffer, bytes);
  }
};

struct copies_to {
  static constexpr bool reads = false;
  static BATON_INLINE kernel::ipc_result make(kernel::reply_token client, const void* buffer, word bytes) {
    return kernel::copy_to(client, 0, 0, buffer, bytes);
  }
};

}  // namespace suite_srr
