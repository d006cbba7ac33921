// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <baton/test/check.hpp>

/// The pool of a test case: fixed memory, as a board has it, all of it free.
template <size_t Bytes>
struct fixed_pool {
  fixed_pool() {
    baton::async::detail::frame_pool::own() = {};
    baton::async::use_for_frames(memory);
  }
  fixed_pool(const fixed_pool&) = delete;
  fixed_pool& operator=(const fixed_pool&) = delete;

  /// Every frame has come back, and none has come from anywhere else.
  ~fixed_pool() {
    const baton::async::frame_statistics s = baton::async::frames();
    CHECK_EQ(s.frames, 0);
    CHECK_EQ(s.live, 0);
    CHECK_EQ(s.held, Bytes);
    CHECK(s.most <= Bytes);
    CHECK(s.most > 0);
    baton::async::detail::unpoison(memory.bytes, Bytes);
    baton::async::detail::frame_pool::own() = {};
  }

  baton::async::frame_memory<Bytes> memory;
};

/// What a pool of so many pointers' size holds on every machine alike.
constexpr size_t words(size_t n) {
  return n * sizeof(void*);
}
