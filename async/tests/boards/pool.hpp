// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <baton/test/check.hpp>

/// The pool of a test case: fixed memory, as on a board, all of it free.
template <size_t Bytes>
struct fixed_pool {
  fixed_pool() {
    baton::async::detail::frame_pool::own() = {};
    baton::async::use_for_frames(memory);
  }
  fixed_pool(const fixed_pool&) = delete;
  fixed_pool& operator=(const fixed_pool&) = delete;

  /// Checks that every frame has come back, and that none came from other memory.
  ~fixed_pool() {
    const baton::async::frame_statistics s = baton::async::frames();
    CHECK_EQ(s.frames, 0);
    CHECK_EQ(s.live, 0);
    CHECK_EQ(s.held, Bytes);
    CHECK(s.most <= Bytes);
    CHECK(s.most > 0);
    baton::async::spi::unpoison(memory.bytes, Bytes);
    baton::async::detail::frame_pool::own() = {};
  }

  baton::async::frame_memory<Bytes> memory;
};

/// The size of `n` pointers, so that a pool holds the same number of frames on every machine.
constexpr size_t words(size_t n) {
  return n * sizeof(void*);
}
