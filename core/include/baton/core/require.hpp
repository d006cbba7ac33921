// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/port.hpp>
#include <stdint.h>

namespace baton {

/// The subject of a BATON_REQUIRE: its name in the sources, its number in the program.
///
/// Units    docs/require.md says for each number what was wrong and what to do. A number is never
///          used twice.
enum class requirement : uint16_t {
  delay_too_long = 101,
  used_from_foreign_domain = 102,
  call_on_running_coroutine = 103,
  direct_resume_of_ready_job = 104,
  no_such_label = 105,
  destroyed_though_nothing_dies = 106,
  receive_before_reply = 120,
  try_receive_before_reply = 121,
  lock_that_holds_already = 122,
  receive_before_subscribe = 123,
  select_waits_for_itself = 130,
  scope_not_empty = 140,
  scope_joined_twice = 141,
  task_without_frame = 142,
  spawn_without_frame = 143,
  second_loop_on_thread = 144,
  queue_outlived_by_sender = 145,
  blocking_send_in_loop = 146,
  send_without_loop = 147,
  migration_without_loop = 148,
  thread_not_joined = 149,
  no_memory_for_mailbox = 150,
  cross_loop_wait_without_loop = 151,
  cross_loop_channel_in_use = 152,
  cross_loop_receive_before_reply = 153,
  cross_loop_endpoint_in_use = 154,
  value_of_failed_result = 155,
  access_to_failed_result = 156,
  unlock_of_free_mutex = 157,
  ok_result_without_value = 158,
  cross_loop_select_waits_for_itself = 159,
  second_poller_on_thread = 165,
  thread_without_poller = 166,
  handler_never_called = 167,
  handler_on_wrong_thread = 168,
  cycle_counter_stopped = 170,
  run_inside_coroutine = 171,
  failure_without_join = 172,
  foreign_resume_on_wrong_thread = 173,
  foreign_resume_twice = 174,
  foreign_destroy = 175,
  failure_of_lost_handle = 176,
  failure_of_lost_set = 177,
  generator_read_twice = 180,
  blocking_pool_not_joined = 181,
  blocking_pool_in_use = 182,
  blocking_awaited_twice = 183,
  blocking_wait_without_loop = 184,
  generator_without_frame = 185,
  generator_read_after_end = 186,
  generator_read_by_two = 187,
  generator_destroyed_in_read = 188,
  cross_loop_watch_in_use = 189,
  cross_loop_broadcast_in_use = 190,
  cross_loop_receive_before_subscribe = 191,
  result_of_open_case = 192,
  value_of_open_case = 193,
  access_to_failed_reference = 194,
  ok_reference_without_value = 195,
  no_memory_protection_unit = 196,
  blocking_function_woke_job = 197,
  loop_on_wrong_thread = 198,
  raised_by_test = 999,
};

}  // namespace baton

/// Called where a BATON_REQUIRE does not hold; must not return.
///
/// Context  the place where the bug was noticed, an interrupt included. A program replaces it by
///          defining a function of this name, in a source that does not include this header. The
///          default asks the port to stop; `./baton explain ID` says what the id means.
/// Cost     two instructions at each check; no string in flash.
extern "C" __attribute__((weak, noreturn, noinline, cold)) void baton_require_failed(uint16_t id) {
  baton::port::halt(id);
}

/// Stops the program if `condition` does not hold: a bug of ours or of the caller's, in release
/// builds too.
///
/// Units    `name` is one of `baton::requirement`, used once in the project.
#define BATON_REQUIRE(name, condition)                                                                           \
  do {                                                                                                           \
    if (BATON_UNLIKELY(!(condition))) ::baton_require_failed(static_cast<uint16_t>(::baton::requirement::name)); \
  } while (0)
